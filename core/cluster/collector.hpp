// SPDX-License-Identifier: Apache-2.0
/// Reads the logs of a campaign as they grow, each byte once. It keeps some forty bytes of a point; the rest of a
/// result is read from its log again when it is wanted.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/records.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::cluster {

/// Where a point ran.
struct Machine {
    std::string node, driver; ///< "cuda", "software"
    std::string gpu;          ///< its name
    std::string compute_capability;
    int driver_version = 0; ///< 13000; 0: not known
};

/// A result, whole.
struct CollectedRecord {
    Machine machine;
    nlohmann::json body;
};

class Collector {
public:
    /// What is kept of a point.
    struct Entry {
        std::uint64_t offset = 0;
        double median_ms = 0;              ///< 0: it has no time
        std::uint32_t log = 0, length = 0; ///< length 0: there is no result
        std::uint16_t gpu = 0;             ///< index in gpus()
        std::uint8_t state = 0;            ///< session::PointState of a sweep
    };

    /// Keeps the campaign by reference.
    explicit Collector(const Campaign& campaign);

    /// Reads what the logs have more than last time. @returns how many points are new
    /// @throws files::Problem, files::InputError where the folder cannot be read
    std::uint64_t refresh();

    [[nodiscard]] const Campaign& campaign() const { return campaign_; }
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] bool complete() const { return done_ == campaign_.count; }
    /// Lines that are no results: torn, damaged, of another campaign.
    [[nodiscard]] std::uint64_t damaged() const;
    /// Results of points that had one. The one of the first log by its name counts, whatever comes first.
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; } ///< that were read
    [[nodiscard]] std::size_t logs() const { return logs_.size(); }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// Names of GPUs, in the order in which they came.
    [[nodiscard]] const std::vector<std::string>& gpus() const { return gpus_; }
    /// Tasks with points that have no result.
    [[nodiscard]] std::vector<std::uint64_t> tasks_left() const;
    [[nodiscard]] std::uint64_t left_in(std::uint64_t task) const { return left_[task]; }

    /// Nothing where there is no result, or its log was changed since.
    [[nodiscard]] std::optional<CollectedRecord> read(std::uint64_t point) const;

private:
    struct Log {
        std::string name;
        std::uint64_t task = 0;
        RecordReader reader;
        std::uint64_t refused = 0;
    };
    void take(std::uint32_t log, const Record& record, std::uint64_t& gained);
    [[nodiscard]] std::uint16_t gpu_index(const std::string& name);

    const Campaign& campaign_;
    const Split split_;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> left_; ///< points without a result, of each task
    std::vector<Log> logs_;
    std::map<std::string, std::uint32_t, std::less<>> known_;
    std::vector<std::string> gpus_;
    std::uint64_t done_ = 0, duplicates_ = 0, bytes_ = 0;
};

} // namespace warplight::cluster
