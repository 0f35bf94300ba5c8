// SPDX-License-Identifier: Apache-2.0
#include "cluster/slurm_setup.hpp"

#include "cluster/site.hpp"
#include "cluster/slurm_engine.hpp"
#include "cluster/ssh_site.hpp"
#include "remote/place.hpp"

#include <algorithm>
#include <utility>

namespace warplight::cluster {

std::unique_ptr<Engine> make_slurm_engine(const Campaign& campaign, const SlurmSetup& setup) {
    SlurmPace pace;
    if (setup.poll) {
        constexpr int polls_of_delay = 5;
        pace.pause = pace.longest = *setup.poll;
        pace.delay = std::min(pace.delay, polls_of_delay * pace.pause);
    }
    std::unique_ptr<Site> site;
    if (setup.cluster.empty()) {
        site = std::make_unique<LocalSite>(campaign, setup.program.empty() ? setup.own_program : setup.program);
    } else {
        std::string problem;
        auto place = remote::parse_place(setup.cluster, &problem);
        if (!place) throw session::SessionError("The cluster (--cluster): " + problem);
        site = std::make_unique<SshSite>(campaign, std::move(*place), setup.folder, setup.program);
    }
    site->give_up_when(setup.given_up);
    return std::make_unique<SlurmEngine>(campaign, setup.options, std::move(site), pace);
}

void begin_campaign(Campaign& fresh, const TaskSize& size) {
    fresh.point_seconds = size.point_seconds;
    fresh.tasks = tasks_for(fresh.count, size);
    create_campaign(fresh);
}

} // namespace warplight::cluster
