// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_points.hpp"

#include "session/random.hpp"
#include "session/sweep_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <set>

namespace warplight::session {
namespace {

/// So many points are listed, and tried with a constraint.
constexpr std::uint64_t most_points = 10'000'000;

double not_known() { return std::numeric_limits<double>::quiet_NaN(); }

/// The value of a scalar that is the size of an array with this shape.
double size_in(const SizeOf& size, const std::vector<std::uint64_t>& shape) {
    if (size.axis) {
        const auto axis = static_cast<std::size_t>(*size.axis);
        return axis < shape.size() ? static_cast<double>(shape[axis]) : not_known();
    }
    double elements = 1;
    for (const auto length : shape)
        elements *= static_cast<double>(length);
    return elements;
}

std::optional<double> as_number(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Of an extent, the name of the whole: "block", "step:flow.grid".
std::string whole_of(const SweepName& extent) {
    SweepName whole = extent;
    whole.kind = extent.subject[0] == 'b' ? SweepKind::block : SweepKind::grid;
    return name_of(whole);
}

bool is_grid(const SweepName& name) {
    return name.kind == SweepKind::grid || (name.kind == SweepKind::extent && name.subject[0] == 'g');
}

constexpr std::string_view cluster_names[] = {"cx", "cy", "cz"};

/// "_2_1" of a step's name, for variables.
std::string suffix_of(const std::string& step) {
    std::string suffix = "_";
    for (const char c : step)
        suffix += is_formula_name(std::string("x") + c) ? c : '_';
    while (suffix.ends_with('_') && suffix.size() > 1)
        suffix.pop_back();
    return suffix;
}

double extent_at(const std::vector<std::uint32_t>& list, std::size_t i) {
    return i < list.size() ? static_cast<double>(list[i]) : 1.0;
}

/// `count` of the numbers below `all`, by chance, in their order (Floyd's way).
std::vector<std::uint64_t> sample_of(std::uint64_t all, std::uint64_t count, std::uint64_t seed) {
    const SplitMix64 random{seed};
    std::set<std::uint64_t> taken;
    for (std::uint64_t last = all - count; last < all; ++last) {
        const auto drawn = upper_product(random.at(last), last + 1);
        if (!taken.insert(drawn).second) taken.insert(last);
    }
    return {taken.begin(), taken.end()};
}

} // namespace

SweepPoints::SweepPoints(const Session& session) : session_(session), sweep_(session.sweep ? *session.sweep : Sweep()) {
    if (session.program)
        throw SessionError("A program with main() has no launch of the session's to vary.", "/program");
    if (!sweep_.time.empty()) (void)paths_of_steps(session, sweep_.time);
    if (sweep_.vary.empty())
        throw SessionError("The sweep varies nothing. Give an axis, such as --vary block=32,64,128.", "/sweep/vary");
    add_variables();
    std::set<std::string> seen;
    for (const auto& axis : sweep_.vary) {
        if (!seen.insert(axis.name).second)
            throw SessionError(fmt::format("The sweep varies {} twice. Give all values in one axis.", axis.name),
                               "/sweep/vary");
        add_axis(axis);
    }
    for (const auto& axis : axes_)
        if (axis.name.kind == SweepKind::extent && seen.contains(whole_of(axis.name)))
            throw SessionError(fmt::format("The sweep varies {} and {}, which is a part of it. Leave one out.",
                                           whole_of(axis.name), axis.name.subject),
                               "/sweep/vary");
    for (const auto& axis : axes_) {
        const auto count = axis.values->size();
        if (sweep_.zip) {
            if (count != axes_.front().values->size())
                throw SessionError(fmt::format("Axes that are zipped need the same number of values: {} has {}, and {} "
                                               "has {}.",
                                               sweep_.vary.front().name, axes_.front().values->size(),
                                               sweep_.vary[static_cast<std::size_t>(&axis - axes_.data())].name, count),
                                   "/sweep/zip");
            product_ = count;
        } else {
            if (product_ > (std::uint64_t{1} << 62) / count)
                throw SessionError("The sweep has more points than can be counted. Leave values out.", "/sweep/vary");
            product_ *= count;
        }
    }
    for (std::size_t i = 0; i < sweep_.set.size(); ++i) {
        const auto& given = sweep_.set[i];
        Setting setting{parse_setting_name(given.name), {}, {}};
        find_subject(session_, setting.name);
        if (seen.contains(given.name) || std::ranges::any_of(axes_, [&](const Axis& axis) {
                return axis.name.kind == SweepKind::extent && whole_of(axis.name) == given.name;
            }))
            throw SessionError(fmt::format("{} is varied and cannot follow by a formula as well.", given.name),
                               fmt::format("/sweep/set/{}", i));
        const auto kind = setting.name.kind;
        const bool has_extents = kind == SweepKind::block || kind == SweepKind::grid;
        if (given.formulas.size() > (kind == SweepKind::shape ? 32U : has_extents ? 3U : 1U))
            throw SessionError(fmt::format("{} has more formulas than axes.", given.name),
                               fmt::format("/sweep/set/{}", i));
        auto names = names_;
        set_own_names(setting, names);
        for (const auto& formula : given.formulas)
            setting.formulas.emplace_back(formula, names);
        settings_.push_back(std::move(setting));
    }
    if (!sweep_.where.empty()) where_.emplace(sweep_.where, names_);
    if (!sweep_.bytes.empty()) bytes_.emplace(sweep_.bytes, names_);
    if (!sweep_.operations.empty()) operations_.emplace(sweep_.operations, names_);
}

std::size_t SweepPoints::add_name(const std::string& name, double value) {
    const auto [place, added] = slots_.try_emplace(name, names_.size());
    if (!added) return place->second;
    names_.push_back(name);
    base_.push_back(value);
    return place->second;
}

void SweepPoints::add_variables() {
    std::vector<SweepName> names;
    names.reserve(sweep_.vary.size() + sweep_.set.size());
    for (const auto& each : sweep_.vary)
        names.push_back(parse_sweep_name(each.name));
    for (const auto& each : sweep_.set)
        names.push_back(parse_setting_name(each.name));
    for (auto& each : names)
        find_subject(session_, each);
    find_launches(names);
    const auto suffix = [&](const Launch& launch) { return launches_.size() > 1 ? suffix_of(launch.step) : ""; };
    for (auto& launch : launches_)
        add_launch(launch, suffix(launch), names);
    count_threads(base_);
    for (const auto& argument : session_.arguments) {
        if (argument.direction != Direction::scalar || !is_formula_name(argument.name)) continue;
        if (slots_.contains(argument.name)) continue; // bx and the like are those of the launch
        double value = not_known();
        if (const auto* number = std::get_if<Number>(&argument.value)) {
            value = as_double(*number);
        } else {
            const auto* size = std::get_if<SizeOf>(&argument.value);
            for (const auto& other : session_.arguments)
                if (size && other.name == size->argument)
                    if (const auto shape = shape_of(other.source))
                        value = size_in(*size, {shape->begin(), shape->end()});
        }
        const auto is_given = [name = "argument:" + argument.name](const auto& each) { return each.name == name; };
        // The size of a file is not known before the run.
        if (!std::isnan(value) || std::ranges::any_of(sweep_.vary, is_given) ||
            std::ranges::any_of(sweep_.set, is_given))
            (void)add_name(argument.name, value);
    }
    for (auto& launch : launches_)
        add_cluster(launch, suffix(launch));
    for (const auto& each : names)
        add_named(each, names);
}

/// The session's launch, or those of the steps that the sweep names.
void SweepPoints::find_launches(const std::vector<SweepName>& names) {
    if (!session_.pipeline) {
        launches_.emplace_back();
        return;
    }
    for (const auto& name : names) {
        if (!is_of_launch(name.kind)) continue;
        const auto is_same = [&](const Launch& other) { return other.step == name.step; };
        if (std::ranges::any_of(launches_, is_same)) continue;
        for (const auto& other : launches_)
            for (const auto& path : other.paths)
                if (std::ranges::find(name.paths, path) != name.paths.end())
                    throw SessionError(fmt::format("step:{} and step:{} are both step {}. Name it in one way.",
                                                   other.step, name.step, path),
                                       "/sweep/vary");
        Launch launch;
        launch.step = name.step;
        launch.paths = name.paths;
        launches_.push_back(std::move(launch));
    }
}

void SweepPoints::add_launch(Launch& launch, const std::string& suffix, const std::vector<SweepName>& names) {
    SweepName name;
    name.step = launch.step;
    name.paths = launch.paths;
    const LaunchConfiguration& now = *launch_of(session_, name);
    const auto add = [&](std::string_view plain, double value) { return add_name(std::string(plain) + suffix, value); };
    if (session_.pipeline) {
        const bool is_made = std::ranges::any_of(
            names, [&](const SweepName& each) { return each.step == launch.step && is_grid(each); });
        visit_steps(session_.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
            const auto* of = std::get_if<LaunchStep>(&step.what);
            if (of && !of->grid.empty() && !is_made && std::ranges::find(launch.paths, path) != launch.paths.end())
                launch.has_grid = false;
        });
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const auto slot = add(extent_names[i], extent_at(now.block, i));
        if (i == 0) launch.block = slot;
    }
    for (std::size_t i = 0; i < 3 && launch.has_grid; ++i) {
        const auto slot = add(extent_names[3 + i], extent_at(now.grid, i));
        if (i == 0) launch.grid = slot;
    }
    launch.shared = add("shared", static_cast<double>(now.shared));
    launch.threads = add("threads", 0);
}

/// Behind the arguments, whose names come first.
void SweepPoints::add_cluster(Launch& launch, const std::string& suffix) {
    SweepName name;
    name.step = launch.step;
    name.paths = launch.paths;
    const auto& cluster = launch_of(session_, name)->options.cluster;
    for (const auto each : cluster_names)
        if (slots_.contains(std::string(each) + suffix)) return;
    launch.has_cluster = true;
    launch.cluster = names_.size();
    for (std::size_t i = 0; i < 3; ++i)
        (void)add_name(std::string(cluster_names[i]) + suffix, extent_at(cluster, i));
}

/// Rounds of loops, and template arguments: `times`, `t1`; where there are several, `times_2`, `t1_scale`.
void SweepPoints::add_named(const SweepName& name, const std::vector<SweepName>& names) {
    double value = not_known();
    std::string word;
    switch (name.kind) {
    case SweepKind::template_argument: word = "t" + name.subject; break;
    case SweepKind::times:
    case SweepKind::every:
    case SweepKind::at_most:
        word = name.kind == SweepKind::times ? "times" : name.kind == SweepKind::every ? "every" : "at_most";
        visit_steps(session_.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
            if (path != name.paths.front()) return;
            const auto& loop = std::get<LoopStep>(step.what);
            value = static_cast<double>(name.kind == SweepKind::times   ? loop.times
                                        : name.kind == SweepKind::every ? loop.every
                                                                        : loop.at_most);
        });
        break;
    default: return;
    }
    const bool is_only = std::ranges::all_of(names, [&](const SweepName& each) {
        return each.kind != name.kind || each.subject != name.subject || each.step == name.step;
    });
    if (!is_only) word += suffix_of(name.step);
    if (!slots_.contains(word)) named_slots_[name_of(name)] = add_name(word, value);
}

const SweepPoints::Launch* SweepPoints::launch_with(const SweepName& name) const {
    const auto found = std::ranges::find(launches_, name.step, &Launch::step);
    return found == launches_.end() ? nullptr : &*found;
}

void SweepPoints::count_threads(Numbers& numbers) const {
    for (const auto& launch : launches_)
        numbers[launch.threads] = numbers[launch.block] * numbers[launch.block + 1] * numbers[launch.block + 2];
}

/// Where several launches are varied, bx is that of the setting's own step in its formulas.
void SweepPoints::set_own_names(Setting& setting, std::vector<std::string>& names) const {
    const auto* launch = launch_with(setting.name);
    if (!launch || launches_.size() < 2) return;
    const auto add = [&](std::string_view name, std::size_t slot) {
        if (std::ranges::find(names, name) != names.end()) return;
        names.emplace_back(name);
        setting.own.push_back(slot);
    };
    for (std::size_t i = 0; i < 3; ++i) {
        add(extent_names[i], launch->block + i);
        if (launch->has_grid) add(extent_names[3 + i], launch->grid + i);
        if (launch->has_cluster) add(cluster_names[i], launch->cluster + i);
    }
    add("shared", launch->shared);
    add("threads", launch->threads);
}

std::vector<double> SweepPoints::values_of(const Setting& setting, const Numbers& numbers) const {
    Numbers known = numbers;
    for (const auto slot : setting.own)
        known.push_back(numbers[slot]);
    std::vector<double> values;
    values.reserve(setting.formulas.size());
    for (const auto& formula : setting.formulas)
        values.push_back(formula.value(known));
    return values;
}

void SweepPoints::add_shape_numbers(const std::string& argument, const std::vector<std::uint64_t>& shape,
                                    std::vector<std::pair<std::size_t, double>>& numbers) const {
    for (const auto& other : session_.arguments) {
        const auto* size = other.direction == Direction::scalar ? std::get_if<SizeOf>(&other.value) : nullptr;
        if (!size || size->argument != argument) continue;
        if (const auto slot = slots_.find(other.name); slot != slots_.end())
            numbers.emplace_back(slot->second, size_in(*size, shape));
    }
}

void SweepPoints::add_axis(const SweepAxis& given) {
    Axis axis{parse_sweep_name(given.name), &sweep_.vary[axes_.size()].values, {}};
    find_subject(session_, axis.name);
    if (given.values.empty())
        throw SessionError(fmt::format("The sweep gives no value for {}.", given.name), "/sweep/vary");
    Session trial = session_; // finds values that cannot be set
    for (const auto& value : given.values) {
        std::vector<std::pair<std::size_t, double>> numbers;
        set_value(trial, axis.name, value);
        switch (axis.name.kind) {
        case SweepKind::extent:
        case SweepKind::block:
        case SweepKind::grid:
        case SweepKind::shared:
        case SweepKind::cluster: add_launch_numbers(axis.name, value, trial, numbers); break;
        case SweepKind::template_argument:
        case SweepKind::times:
        case SweepKind::every:
        case SweepKind::at_most:
            if (const auto slot = named_slots_.find(given.name); slot != named_slots_.end())
                numbers.emplace_back(slot->second, as_number(value).value_or(not_known()));
            break;
        case SweepKind::define:
            if (std::ranges::find(extent_names, axis.name.subject) != std::end(extent_names) ||
                axis.name.subject == "shared" || axis.name.subject == "threads" ||
                std::ranges::any_of(session_.arguments, [&](const Argument& argument) {
                    return argument.direction == Direction::scalar && argument.name == axis.name.subject;
                })) {
                if (sweep_.where.empty() && sweep_.set.empty() && sweep_.bytes.empty() && sweep_.operations.empty())
                    break;
                throw SessionError(fmt::format("{0} is the name of a macro and of a value of the launch, so formulas "
                                               "cannot tell which one is meant. Give the macro another name.",
                                               axis.name.subject),
                                   "/sweep/vary");
            }
            numbers.emplace_back(add_name(axis.name.subject, not_known()), as_number(value).value_or(not_known()));
            break;
        case SweepKind::argument:
            if (const auto slot = slots_.find(axis.name.subject); slot != slots_.end())
                numbers.emplace_back(slot->second, as_number(value).value_or(not_known()));
            break;
        case SweepKind::shape: add_shape_numbers(axis.name.subject, parse_shape(value), numbers); break;
        default: break;
        }
        axis.numbers.push_back(std::move(numbers));
    }
    axes_.push_back(std::move(axis));
}

void SweepPoints::add_launch_numbers(const SweepName& name, const std::string& value, const Session& trial,
                                     std::vector<std::pair<std::size_t, double>>& numbers) const {
    const auto& slots = *launch_with(name);
    const auto& now = *launch_of(trial, name);
    const auto add = [&](std::size_t first, const std::vector<std::uint32_t>& extents) {
        for (std::size_t i = 0; i < 3; ++i)
            numbers.emplace_back(first + i, extent_at(extents, i));
    };
    switch (name.kind) {
    case SweepKind::extent: // the others may be varied too
        numbers.emplace_back((is_grid(name) ? slots.grid : slots.block) +
                                 static_cast<std::size_t>(name.subject[1] - 'x'),
                             as_number(value).value_or(not_known()));
        break;
    case SweepKind::block: add(slots.block, now.block); break;
    case SweepKind::grid: add(slots.grid, now.grid); break;
    case SweepKind::shared: numbers.emplace_back(slots.shared, static_cast<double>(now.shared)); break;
    default:
        if (slots.has_cluster) add(slots.cluster, now.options.cluster);
    }
}

std::vector<std::size_t> SweepPoints::indices_at(std::uint64_t point) const {
    std::vector<std::size_t> indices(axes_.size(), static_cast<std::size_t>(point));
    if (sweep_.zip) return indices;
    for (std::size_t i = axes_.size(); i-- > 0;) {
        const auto count = axes_[i].values->size();
        indices[i] = static_cast<std::size_t>(point % count);
        point /= count;
    }
    return indices;
}

std::vector<std::uint64_t> SweepPoints::lengths_of(const Setting& setting, const Numbers& numbers) const {
    std::vector<std::uint64_t> lengths;
    for (const double value : values_of(setting, numbers)) {
        const double whole = std::round(value);
        if (!(std::abs(value - whole) <= 1e-9 * std::max(1.0, std::abs(value))) || whole < 0 || whole > 0x1p53)
            throw SessionError(fmt::format("The formula of {} gives {} here, which is no whole number from 0 on.",
                                           name_of(setting.name), value));
        lengths.push_back(static_cast<std::uint64_t>(whole));
    }
    return lengths;
}

void SweepPoints::follow(const Setting& setting, Numbers& numbers) const {
    const auto values = values_of(setting, numbers);
    switch (setting.name.kind) {
    case SweepKind::block:
    case SweepKind::grid: {
        const auto* launch = launch_with(setting.name);
        const auto slot = setting.name.kind == SweepKind::block ? launch->block : launch->grid;
        for (std::size_t i = 0; i < 3; ++i)
            numbers[slot + i] = i < values.size() ? values[i] : 1;
        count_threads(numbers);
        break;
    }
    case SweepKind::shared: numbers[launch_with(setting.name)->shared] = values.front(); break;
    case SweepKind::argument:
        if (const auto slot = slots_.find(setting.name.subject); slot != slots_.end())
            numbers[slot->second] = values.front();
        break;
    case SweepKind::times:
    case SweepKind::every:
    case SweepKind::at_most:
        if (const auto slot = named_slots_.find(name_of(setting.name)); slot != named_slots_.end())
            numbers[slot->second] = values.front();
        break;
    default: {
        std::vector<std::pair<std::size_t, double>> sizes;
        add_shape_numbers(setting.name.subject, lengths_of(setting, numbers), sizes);
        for (const auto& [slot, value] : sizes)
            numbers[slot] = value;
    }
    }
}

SweepPoints::Numbers SweepPoints::numbers_at(std::uint64_t point) const {
    Numbers numbers = base_;
    const auto indices = indices_at(point);
    for (std::size_t i = 0; i < axes_.size(); ++i)
        for (const auto& [slot, value] : axes_[i].numbers[indices[i]])
            numbers[slot] = value;
    count_threads(numbers);
    for (const auto& setting : settings_)
        follow(setting, numbers);
    return numbers;
}

std::vector<std::uint64_t> SweepPoints::fitting() const {
    if (product_ > most_points)
        throw SessionError(fmt::format("The axes make {} points, more than the {} that can be {}. Leave values out{}.",
                                       product_, most_points, where_ ? "tried with a constraint" : "listed",
                                       where_ ? "" : ", or take a sample"),
                           "/sweep/vary");
    std::vector<std::uint64_t> points;
    for (std::uint64_t point = 0; point < product_; ++point)
        if (!where_ || where_->value(numbers_at(point)) != 0) points.push_back(point);
    if (points.empty())
        throw SessionError(fmt::format("No point of the sweep is left by the constraint {}.", sweep_.where),
                           "/sweep/where");
    return points;
}

std::uint64_t SweepPoints::count() const {
    const std::uint64_t all = where_ ? fitting().size() : product_;
    return sweep_.sample ? std::min(sweep_.sample, all) : all;
}

std::vector<std::uint64_t> SweepPoints::chosen() const {
    if (!where_ && sweep_.sample && sweep_.sample < product_) {
        if (sweep_.sample > most_points)
            throw SessionError(fmt::format("A sample may have {} points at most.", most_points), "/sweep/sample");
        return sample_of(product_, sweep_.sample, sweep_.seed);
    }
    auto points = fitting();
    if (!sweep_.sample || sweep_.sample >= points.size()) return points;
    std::vector<std::uint64_t> some;
    for (const auto index : sample_of(points.size(), sweep_.sample, sweep_.seed))
        some.push_back(points[index]);
    return some;
}

std::vector<std::string> SweepPoints::values_at(std::uint64_t point) const {
    const auto indices = indices_at(point);
    std::vector<std::string> values;
    values.reserve(axes_.size());
    for (std::size_t i = 0; i < axes_.size(); ++i)
        values.push_back((*axes_[i].values)[indices[i]]);
    return values;
}

Session SweepPoints::session_at(std::uint64_t point) const {
    Session session = session_;
    session.sweep.reset();
    const auto indices = indices_at(point);
    Numbers numbers = base_;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        set_value(session, axes_[i].name, (*axes_[i].values)[indices[i]]);
        for (const auto& [slot, value] : axes_[i].numbers[indices[i]])
            numbers[slot] = value;
    }
    count_threads(numbers);
    for (const auto& setting : settings_) {
        if (setting.name.kind == SweepKind::argument)
            set_number(session, setting.name, values_of(setting, numbers).front());
        else
            set_value(session, setting.name, fmt::format("{}", fmt::join(lengths_of(setting, numbers), "x")));
        follow(setting, numbers);
    }
    return session;
}

std::optional<double> SweepPoints::bytes_at(std::uint64_t point) const {
    if (!bytes_) return std::nullopt;
    return bytes_->value(numbers_at(point));
}

std::optional<double> SweepPoints::operations_at(std::uint64_t point) const {
    if (!operations_) return std::nullopt;
    return operations_->value(numbers_at(point));
}

} // namespace warplight::session
