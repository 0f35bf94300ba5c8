// SPDX-License-Identifier: Apache-2.0
// Where the build found no OpenCL.
#include "peer.hpp"

namespace warplight::bench {

std::unique_ptr<Peer> pocl_peer(std::string& problem) {
    problem = "built without OpenCL (Debian: ocl-icd-opencl-dev, opencl-c-headers, and pocl-opencl-icd to run)";
    return nullptr;
}

} // namespace warplight::bench
