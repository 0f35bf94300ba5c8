// SPDX-License-Identifier: Apache-2.0
#include "graph_exec.hpp"

#include "context.hpp"
#include "event.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "summary.hpp"
#include "work_races.hpp"

#include <algorithm>

namespace warplight::software {
namespace {

constexpr std::size_t kMostBranches = 32;
constexpr std::size_t kMostToCompare = 4096; ///< operations whose ancestors are all looked at
constexpr std::size_t kNone = ~std::size_t{0};

std::shared_ptr<const NodeContent> nothing() {
    static const auto* content = new std::shared_ptr<const NodeContent>(std::make_shared<NodeContent>());
    return *content;
}

} // namespace

std::shared_ptr<GraphExec> GraphExec::instantiate(Graph& graph, unsigned long long flags, CUgraphNode& offender) {
    const GraphGuard guard;
    offender = nullptr;
    if (graph.capturing) fail(CUDA_ERROR_INVALID_VALUE, "the graph is being captured into");
    if (flags & device_launch) fail(CUDA_ERROR_NOT_SUPPORTED, "graphs cannot be launched from kernels");
    const bool exclusive = graph.has_memory_nodes();
    if (exclusive && graph.exclusive.lock())
        fail(CUDA_ERROR_INVALID_VALUE, "a graph with memory nodes can be instantiated once at a time");
    const std::shared_ptr<GraphExec> exec(new GraphExec(flags & ~unsigned{upload_after}));
    (void)exec->flatten(graph, *exec->shape_, {}, offender);
    exec->spread();
    exec->user_objects_->retain_all(graph.user_objects);
    if (exclusive) graph.exclusive = exec;
    handles<GraphExec>().add(exec);
    return exec;
}

GraphExec::~GraphExec() {
    for (const auto& branch : branches_)
        branches_context_->forget_stream(*branch);
}

std::vector<std::size_t> GraphExec::flatten(const Graph& graph, Shape& shape, const std::vector<std::size_t>& before,
                                            CUgraphNode& offender) {
    const std::vector<GraphNode*> order = graph.sorted();
    std::unordered_map<const GraphNode*, std::size_t> numbers;
    for (const auto& node : graph.nodes)
        numbers.emplace(node.get(), numbers.size());
    if (order.size() != graph.nodes.size()) {
        for (const auto& node : graph.nodes)
            if (std::find(order.begin(), order.end(), node.get()) == order.end()) offender = node->handle();
        fail(CUDA_ERROR_INVALID_VALUE, "nodes of the graph wait for each other in a circle");
    }
    shape.entries.resize(order.size());
    std::vector<std::size_t> leaves;
    for (GraphNode* node : order) {
        if (const auto& context = node->content->context; context && context->ending()) {
            offender = node->handle();
            fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context of a node was destroyed");
        }
        Entry& entry = shape.entries[numbers.at(node)];
        entries_[node->id] = &entry;
        entry.type = node->content->type;
        Operation operation;
        operation.content = node->content;
        for (const GraphEdge& edge : node->dependencies) {
            entry.dependencies.push_back(numbers.at(edge.node));
            operation.dependencies.push_back(shape.entries[numbers.at(edge.node)].operation);
        }
        if (node->dependencies.empty()) operation.dependencies = before;
        if (const auto& context = node->content->context;
            context && std::find(contexts_.begin(), contexts_.end(), context) == contexts_.end())
            contexts_.push_back(context);
        if (const auto* child = std::get_if<ChildNode>(&node->content->what)) {
            // Its own operations lie between two that do nothing.
            operation.content = nothing();
            operations_.push_back(std::move(operation));
            const std::size_t enter = operations_.size() - 1;
            entry.child = std::make_shared<Shape>();
            children_.push_back(child->graph);
            Operation leave;
            leave.content = nothing();
            leave.dependencies = flatten(*child->graph, *entry.child, {enter}, offender);
            if (leave.dependencies.empty()) leave.dependencies = {enter};
            operations_.push_back(std::move(leave));
        } else {
            operations_.push_back(std::move(operation));
        }
        entry.operation = operations_.size() - 1;
        if (node->dependents.empty()) leaves.push_back(entry.operation);
    }
    return leaves;
}

/// A branch carries on with an operation that waits for its last one. Where none does, an operation begins a branch of
/// its own, so that nothing waits without need.
void GraphExec::spread() {
    const std::size_t count = operations_.size();
    const bool compare = count <= kMostToCompare;
    std::vector<std::vector<bool>> ancestors(compare ? count : 0);
    std::vector<std::size_t> tails;
    for (std::size_t i = 0; i < count; ++i) {
        Operation& operation = operations_[i];
        std::size_t branch = kNone;
        for (const std::size_t d : operation.dependencies)
            if (branch == kNone && tails[operations_[d].branch] == d) branch = operations_[d].branch;
        if (compare) {
            ancestors[i].resize(i);
            for (const std::size_t d : operation.dependencies) {
                for (std::size_t a = 0; a < d; ++a)
                    if (ancestors[d][a]) ancestors[i][a] = true;
                ancestors[i][d] = true;
            }
            for (std::size_t b = 0; branch == kNone && b < tails.size(); ++b)
                if (ancestors[i][tails[b]]) branch = b;
        }
        if (branch == kNone && tails.size() < kMostBranches) {
            branch = tails.size();
            tails.push_back(i);
        }
        if (branch == kNone) branch = i % kMostBranches;
        tails[branch] = i;
        operation.branch = branch;
    }
    branch_count_ = std::max<std::size_t>(tails.size(), 1);
}

/// Allocates and frees the memory of a launch, in its order: all of it, or nothing and an error.
void GraphExec::take_memory() const {
    std::unordered_map<std::shared_ptr<GraphMemory>, bool> live;
    const auto is_live = [&](const std::shared_ptr<GraphMemory>& memory) {
        const auto found = live.find(memory);
        return found == live.end() ? memory->live : found->second;
    };
    if (flags & auto_free) {
        for (const Operation& operation : operations_)
            if (const auto* a = std::get_if<AllocationNode>(&operation.content->what)) live[a->memory] = false;
    }
    for (const Operation& operation : operations_) {
        if (const auto* a = std::get_if<AllocationNode>(&operation.content->what)) {
            if (is_live(a->memory))
                fail(CUDA_ERROR_INVALID_VALUE, "memory that the graph's last launch allocated has not been freed");
            live[a->memory] = true;
        } else if (const auto* f = std::get_if<FreeNode>(&operation.content->what)) {
            if (!is_live(f->memory)) fail(CUDA_ERROR_INVALID_VALUE, "memory that the graph frees is not allocated");
            live[f->memory] = false;
        }
    }
    // In their order, so that high-water marks count memory that lives at the same time.
    for (const Operation& operation : operations_) {
        if (const auto* a = std::get_if<AllocationNode>(&operation.content->what)) {
            set_live(a->memory, false); // of the launch before, with auto_free
            set_live(a->memory, true);
        } else if (const auto* f = std::get_if<FreeNode>(&operation.content->what)) {
            set_live(f->memory, false);
        }
    }
}

void GraphExec::prepare_branches(Context& context) {
    if (branches_context_.get() != &context) {
        for (const auto& branch : branches_)
            branches_context_->forget_stream(*branch);
        branches_.clear();
        branches_context_ = context.shared_from_this();
    }
    while (branches_.size() + 1 < branch_count_)
        branches_.push_back(context.create_branch());
}

/// Each operation is a step of its own where somebody counts them.
std::shared_ptr<const GraphExec::Plan> GraphExec::plan() {
    const bool joined = !WorkRaces::is_on() && !summary::is_on();
    if (!plan_ || plan_->joined != joined) plan_ = make_plan(joined);
    return plan_;
}

std::shared_ptr<const GraphExec::Plan> GraphExec::make_plan(bool joined) const {
    auto plan = std::make_shared<Plan>();
    plan->joined = joined;
    std::vector<bool> is_awaited(operations_.size()); // by another branch
    for (const Operation& operation : operations_)
        for (const std::size_t d : operation.dependencies)
            if (operations_[d].branch != operation.branch) is_awaited[d] = true;
    std::vector<std::size_t> step_of(operations_.size());
    std::vector<std::size_t> open(branch_count_, kNone); // steps that go on
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        const Operation& operation = operations_[i];
        const bool is_event = std::holds_alternative<EventNode>(operation.content->what);
        std::size_t& step = open[operation.branch];
        const bool waits = std::ranges::any_of(
            operation.dependencies, [&](std::size_t d) { return operations_[d].branch != operation.branch; });
        if (step == kNone || waits || is_event) {
            step = plan->steps.size();
            Step& made = plan->steps.emplace_back();
            made.branch = operation.branch;
            for (const std::size_t d : operation.dependencies)
                if (operations_[d].branch != operation.branch) made.after.push_back(step_of[d]);
            if (is_event) made.event = operation.content;
        }
        step_of[i] = step;
        if (operation.enabled && operation.content->work) plan->steps[step].contents.push_back(operation.content);
        if (!joined || is_event || is_awaited[i]) step = kNone;
    }
    return plan;
}

void GraphExec::carry_out(const Step& step, const ContextState& context) {
    for (const auto& content : step.contents) {
        if (context.error() != CUDA_SUCCESS) return; // of another stream
        content->work();
    }
}

void GraphExec::launch(const std::shared_ptr<Stream>& stream) {
    const GraphGuard guard;
    for (const auto& context : contexts_)
        context->check();
    Context& context = stream->context();
    prepare_branches(context);
    take_memory();
    const std::shared_ptr<const Plan> plan = this->plan();

    const std::scoped_lock order(context.submission());
    std::vector<Ticket> after;
    context.add_default_stream_order(*stream, after);
    if (counts(last_)) after.push_back(last_);
    const Ticket begin = stream->append([] {}, std::move(after));
    std::vector<Ticket> tickets(plan->steps.size());
    std::vector<Ticket> ends(branch_count_);
    for (std::size_t i = 0; i < plan->steps.size(); ++i) {
        const Step& step = plan->steps[i];
        Stream& branch = step.branch == 0 ? *stream : *branches_[step.branch - 1];
        std::vector<Ticket> behind;
        if (step.branch != 0 && !ends[step.branch].stream) behind.push_back(begin);
        for (const std::size_t s : step.after)
            behind.push_back(tickets[s]);
        if (step.event && step.event->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) {
            std::get<EventNode>(step.event->what).event->record([&](Stream::Work mark) {
                tickets[i] = branch.append(std::move(mark), std::move(behind));
                return tickets[i];
            });
        } else if (step.event) {
            Event::Wait wait = std::get<EventNode>(step.event->what).event->last_record();
            if (wait.ticket.stream) behind.push_back(std::move(wait.ticket));
            Task work = [] {};
            if (wait.work) work = std::move(wait.work);
            tickets[i] = branch.append(std::move(work), std::move(behind));
        } else {
            const bool has_kernel = !step.contents.empty() && step.contents.front()->type == CU_GRAPH_NODE_TYPE_KERNEL;
            tickets[i] =
                branch.append([plan, &step, &context,
                               waiting = has_kernel ? summary::waiting() : nullptr] { carry_out(step, context); },
                              std::move(behind));
        }
        ends[step.branch] = tickets[i];
    }
    ends[0] = {};
    std::erase_if(ends, [](const Ticket& ticket) { return !ticket.stream; });
    last_ = stream->append([objects = user_objects_] {}, std::move(ends));
}

void GraphExec::upload(const std::shared_ptr<Stream>& stream) {
    const GraphGuard guard;
    Context& context = stream->context();
    prepare_branches(context);
    const std::scoped_lock order(context.submission());
    std::vector<Ticket> after;
    context.add_default_stream_order(*stream, after);
    if (last_.stream) after.push_back(last_);
    last_ = stream->append([] {}, std::move(after));
}

const GraphExec::Entry& GraphExec::entry_of(const GraphNode& node) const {
    const auto found = entries_.find(node.id);
    if (found == entries_.end()) fail(CUDA_ERROR_INVALID_VALUE, "the executable graph was not made of this node");
    return *found->second;
}

GraphExec::Operation& GraphExec::operation_of(const GraphNode& node) { return operations_[entry_of(node).operation]; }

const NodeContent& GraphExec::content(const GraphNode& node) const {
    return *operations_[entry_of(node).operation].content;
}

void GraphExec::set_content(const GraphNode& node, std::shared_ptr<const NodeContent> content) {
    const GraphGuard guard;
    Operation& operation = operation_of(node);
    if (operation.content->type != content->type) fail(CUDA_ERROR_INVALID_VALUE, "a node of another type");
    if (changeable(*operation.content, *content) != CU_GRAPH_EXEC_UPDATE_SUCCESS)
        fail(CUDA_ERROR_INVALID_VALUE, "an executable graph cannot be changed so");
    operation.content = std::move(content);
    plan_.reset();
}

bool GraphExec::enabled(const GraphNode& node) const {
    const GraphGuard guard;
    return operations_[entry_of(node).operation].enabled;
}

void GraphExec::set_enabled(const GraphNode& node, bool enabled) {
    const GraphGuard guard;
    operation_of(node).enabled = enabled;
    plan_.reset();
}

} // namespace warplight::software
