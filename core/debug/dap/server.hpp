// SPDX-License-Identifier: Apache-2.0
/// The main function of a debug adapter, which `warplight-cli debug --dap` calls.
#pragma once

namespace warplight::debug::dap {

struct ServerOptions {
    bool confined = true;
};

/// Serves the Debug Adapter Protocol on standard input and output until the client disconnects or the input ends.
/// Before it compiles or runs anything it confines the process to the files of the session.
int server_main(const ServerOptions& options);

} // namespace warplight::debug::dap
