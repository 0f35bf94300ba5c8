// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/request_text.hpp"

#include "ui/common/worker_connection.hpp"

namespace warplight::ui {

QString requestText(const QString& method) {
    const auto is = [&method](const char* name) { return method == QLatin1String(name); };
    if (is("compile")) return WorkerConnection::tr("Compiling in the background");
    if (is("run")) return WorkerConnection::tr("Running");
    if (is("signatures")) return WorkerConnection::tr("Looking for kernels");
    if (is("layouts")) return WorkerConnection::tr("Reading the layout of structs");
    if (is("occupancy")) return WorkerConnection::tr("Computing the occupancy");
    if (is("sass")) return WorkerConnection::tr("Disassembling");
    if (is("registers")) return WorkerConnection::tr("Compiling for limits of registers");
    if (is("compilers")) return WorkerConnection::tr("Looking for compilers");
    if (is("devices")) return WorkerConnection::tr("Looking for devices");
    if (is("buffer.open") || is("buffer.members")) return WorkerConnection::tr("Opening a file");
    if (is("buffer.summary")) return WorkerConnection::tr("Reading a buffer for its statistics");
    if (is("buffer.plot")) return WorkerConnection::tr("Reading a buffer for its plot");
    if (is("buffer.view")) return WorkerConnection::tr("Reading a buffer for its picture");
    if (is("buffer.compare")) return WorkerConnection::tr("Comparing buffers");
    if (is("buffer.save")) return WorkerConnection::tr("Saving a buffer");
    if (is("buffer.histogram")) return WorkerConnection::tr("Counting for a histogram");
    if (is("buffer.scatter")) return WorkerConnection::tr("Counting for a scatter plot");
    if (is("buffer.derive")) return WorkerConnection::tr("Computing a buffer");
    if (is("buffer.read") || is("buffer.bytes") || is("buffer.window")) return WorkerConnection::tr("Reading a buffer");
    return {};
}

} // namespace warplight::ui
