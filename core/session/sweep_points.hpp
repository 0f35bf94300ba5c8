// SPDX-License-Identifier: Apache-2.0
/// The points of a sweep: which there are, and the session at each.
#pragma once

#include "session/scalar_formula.hpp"
#include "session/session.hpp"
#include "session/sweep_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplight::session {

/// A session with a sweep, seen as its points. A point is a number from 0: the last axis varies fastest.
class SweepPoints {
public:
    /// Keeps the session by reference. @throws SessionError where the sweep cannot be read
    explicit SweepPoints(const Session& session);
    SweepPoints(const SweepPoints&) = delete;
    SweepPoints& operator=(const SweepPoints&) = delete;

    /// Before the constraint and the sample.
    [[nodiscard]] std::uint64_t product() const { return product_; }
    /// How many are run, known without a list of them where there is no constraint. @throws SessionError
    [[nodiscard]] std::uint64_t count() const;
    /// Those that are run, in their order. @throws SessionError
    [[nodiscard]] std::vector<std::uint64_t> chosen() const;

    /// Of each axis at a point.
    [[nodiscard]] std::vector<std::string> values_at(std::uint64_t point) const;
    /// The session to run at a point, without its sweep. @throws SessionError for a value that a formula cannot set
    [[nodiscard]] Session session_at(std::uint64_t point) const;
    /// What a launch there moves and computes, where the sweep declares it.
    [[nodiscard]] std::optional<double> bytes_at(std::uint64_t point) const;
    [[nodiscard]] std::optional<double> operations_at(std::uint64_t point) const;
    /// The names that formulas may have.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    using Numbers = std::vector<double>;
    /// Variables of a launch that is varied: the session's, or that of a pipeline's steps.
    struct Launch {
        std::string step; ///< as the sweep names it; empty: the session's
        std::vector<std::string> paths;
        std::size_t block = 0, grid = 0, shared = 0, threads = 0, cluster = 0; ///< their slots; of extents the first
        bool has_grid = true; ///< false: the step's own formulas make it
        bool has_cluster = false;
    };
    struct Axis {
        SweepName name;
        const std::vector<std::string>* values;
        std::vector<std::vector<std::pair<std::size_t, double>>> numbers; ///< of each value: variables and theirs
    };
    struct Setting {
        SweepName name;
        std::vector<ScalarFormula> formulas;
        std::vector<std::size_t> own; ///< slots that its formulas know by other names: bx of its own step
    };
    [[nodiscard]] std::size_t add_name(const std::string& name, double value);
    void add_variables();
    void find_launches(const std::vector<SweepName>& names);
    void add_launch(Launch& launch, const std::string& suffix, const std::vector<SweepName>& names);
    void add_cluster(Launch& launch, const std::string& suffix);
    void add_named(const SweepName& name, const std::vector<SweepName>& names);
    [[nodiscard]] const Launch* launch_with(const SweepName& name) const;
    void set_own_names(Setting& setting, std::vector<std::string>& names) const;
    [[nodiscard]] std::vector<double> values_of(const Setting& setting, const Numbers& numbers) const;
    void count_threads(Numbers& numbers) const;
    void add_launch_numbers(const SweepName& name, const std::string& value, const Session& trial,
                            std::vector<std::pair<std::size_t, double>>& numbers) const;
    void add_axis(const SweepAxis& given);
    void add_shape_numbers(const std::string& argument, const std::vector<std::uint64_t>& shape,
                           std::vector<std::pair<std::size_t, double>>& numbers) const;
    [[nodiscard]] std::vector<std::size_t> indices_at(std::uint64_t point) const;
    /// The variables at a point, by its axes and settings.
    [[nodiscard]] Numbers numbers_at(std::uint64_t point) const;
    [[nodiscard]] std::vector<std::uint64_t> lengths_of(const Setting& setting, const Numbers& numbers) const;
    void follow(const Setting& setting, Numbers& numbers) const;
    [[nodiscard]] std::vector<std::uint64_t> fitting() const;

    const Session& session_;
    const Sweep sweep_;
    std::vector<Launch> launches_;
    std::vector<Axis> axes_;
    std::vector<Setting> settings_;
    std::optional<ScalarFormula> where_, bytes_, operations_;
    std::vector<std::string> names_;
    Numbers base_; ///< the variables of the session as it is
    std::map<std::string, std::size_t, std::less<>> slots_;
    std::map<std::string, std::size_t, std::less<>> named_slots_; ///< of axes such as "template:1" and "step:2.times"
    std::uint64_t product_ = 1;
};

} // namespace warplight::session
