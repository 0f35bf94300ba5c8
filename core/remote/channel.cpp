// SPDX-License-Identifier: Apache-2.0
#include "remote/channel.hpp"

#include "worker/message.hpp"

namespace warplight::remote {

std::size_t largest_packet(Channel channel) {
    switch (channel) {
    case Channel::control:
    case Channel::bulk: return std::size_t{16} << 20;
    case Channel::worker: break;
    }
    return worker::kLargestMessage + 64;
}

} // namespace warplight::remote
