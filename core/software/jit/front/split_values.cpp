// SPDX-License-Identifier: Apache-2.0
#include "split_values.hpp"

#include "software/jit/lanes/linear_form.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr std::size_t kMostValues = 64; ///< to look at: each takes a walk through the function

class Splitting {
public:
    explicit Splitting(const ptx::Function& function) : f_(function), graph_(function), loops_(graph_) {
        if (!loops_.all().empty()) writers_ = writers_of(f_);
    }

    [[nodiscard]] std::optional<ChangedFunction> run() {
        if (loops_.all().empty()) return std::nullopt;
        std::size_t looked_at = 0;
        for (RegisterId r = 0; r < writers_.size() && looked_at < kMostValues; ++r) {
            if (writers_[r].size() < 2 || !is_index(f_.registers[r].type)) continue;
            if (std::ranges::none_of(writers_[r], [&](auto w) { return is_in_loop(w); })) continue;
            for (const std::uint32_t w : writers_[r])
                if (is_first_value(w, r) && looked_at++ < kMostValues) look_at(w, r);
        }
        if (firsts_.empty()) return std::nullopt;
        return rewritten();
    }

private:
    struct FirstValue {
        RegisterId of = 0;
        std::vector<std::uint32_t> uses; ///< instructions that read no other value of the register
    };
    /// Which values of a register may reach a place.
    struct Reaching {
        bool first = false, other = false;
        bool operator==(const Reaching&) const = default;
        [[nodiscard]] bool only_first() const { return first && !other; }
    };

    [[nodiscard]] bool is_in_loop(std::uint32_t instruction) const {
        return loops_.contains(graph_.block_of()[instruction]);
    }
    [[nodiscard]] bool is_first_value(std::uint32_t w, RegisterId r) const {
        const Instruction& i = f_.instructions[w];
        return !is_in_loop(w) && !i.guarded && linear_form_of(i) && i.operands[0].kind == Operand::Kind::reg &&
               i.operands[0].reg == r;
    }

    /// Goes through the writes of a block; visit(first, last, what reaches the instructions from the one to the other).
    template <class Visit>
    Reaching walk(std::uint32_t block, Reaching now, std::uint32_t writer, RegisterId r, Visit visit) const {
        std::uint32_t at = graph_.blocks()[block].begin;
        const std::uint32_t end = graph_.blocks()[block].end;
        for (auto w = std::ranges::lower_bound(writers_[r], at); w != writers_[r].end() && *w < end; ++w) {
            visit(at, *w + 1, now);
            at = *w + 1;
            if (*w == writer)
                now = {true, false};
            else
                now = {f_.instructions[*w].guarded && now.first, true};
        }
        visit(at, end, now);
        return now;
    }

    void look_at(std::uint32_t writer, RegisterId r) {
        const auto nothing = [](std::uint32_t, std::uint32_t, const Reaching&) {};
        std::vector<Reaching> in(graph_.end());
        std::vector<std::uint32_t> todo;
        for (std::uint32_t block = graph_.end(); block-- > 0;)
            todo.push_back(block);
        in[0].other = true; // what nothing wrote
        while (!todo.empty()) {
            const std::uint32_t block = todo.back();
            todo.pop_back();
            const Reaching out = walk(block, in[block], writer, r, nothing);
            for (const std::uint32_t next : graph_.blocks()[block].successors) {
                if (next == graph_.end()) continue;
                const Reaching both{in[next].first || out.first, in[next].other || out.other};
                if (both == in[next]) continue;
                in[next] = both;
                todo.push_back(next);
            }
        }
        FirstValue first{r, {}};
        bool computes = false;
        for (std::uint32_t block = 0; block < graph_.end(); ++block)
            (void)walk(block, in[block], writer, r, [&](std::uint32_t k, std::uint32_t last, const Reaching& now) {
                for (; now.only_first() && k < last; ++k) {
                    const Instruction& i = f_.instructions[k];
                    bool reads = false;
                    ptx::each_read(f_, i, [&](RegisterId read) { reads |= read == r; });
                    if (!reads) continue;
                    first.uses.push_back(k);
                    computes |= linear_form_of(i).has_value();
                }
            });
        if (computes) firsts_.emplace(writer, std::move(first));
    }

    [[nodiscard]] ChangedFunction rewritten() const {
        AddedCode code(f_);
        std::map<std::uint32_t, std::vector<std::pair<RegisterId, RegisterId>>> renamed; // by use
        std::map<std::uint32_t, RegisterId> own;                                         // by writer
        for (const auto& [writer, first] : firsts_) {
            const RegisterId r = code.new_register(f_.registers[first.of].type);
            own.emplace(writer, r);
            for (const std::uint32_t use : first.uses)
                renamed[use].emplace_back(first.of, r);
        }
        for (std::uint32_t k = 0; k < f_.instructions.size(); ++k) {
            code.begin(k);
            code.keep();
            if (const auto found = renamed.find(k); found != renamed.end()) rename(code.last(), found->second);
            const auto writer = own.find(k);
            if (writer == own.end()) continue;
            const RegisterId before = f_.instructions[k].operands[0].reg;
            code.last().operands[0].reg = writer->second;
            code.add(ptx::Opcode::mov, untyped(code.bits_of(before)),
                     {register_operand(before), register_operand(writer->second)});
        }
        return code.finish();
    }

    static void rename(Instruction& i, const std::vector<std::pair<RegisterId, RegisterId>>& names) {
        const Operand* const to = ptx::destination_of(i);
        for (Operand& operand : i.operands) {
            if (&operand == to) continue;
            ptx::each_operand(operand, [&](Operand& x) {
                const bool is_register = x.kind == Operand::Kind::reg ||
                                         (x.kind == Operand::Kind::address && x.base_kind == Operand::Kind::reg);
                if (!is_register) return;
                const auto found = std::ranges::find(names, x.reg, &std::pair<RegisterId, RegisterId>::first);
                if (found != names.end()) x.reg = found->second;
            });
        }
    }

    const ptx::Function& f_;
    const ptx::FlowGraph graph_;
    const ptx::Loops loops_;
    std::vector<std::vector<std::uint32_t>> writers_; ///< by register, in order
    std::map<std::uint32_t, FirstValue> firsts_;      ///< by the instruction that writes it
};

} // namespace

std::optional<ChangedFunction> split_values(const ptx::Function& function) {
    if (!function.calls.empty()) return std::nullopt; // their arguments are no operands
    return Splitting(function).run();
}

} // namespace warplight::jit
