// SPDX-License-Identifier: Apache-2.0
// A second process for tests: the test program started once more, which does with the device what it is told, a line
// for each command and a line for each answer.
#pragma once

#include "array_fixture.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"
#include "warplight/ipc.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"

#include <QCoreApplication>
#include <QProcess>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

namespace other_process {

inline constexpr char kRole[] = "other-process";

template <std::size_t N>
std::string to_text(const std::array<std::byte, N>& bytes) {
    return QByteArray(reinterpret_cast<const char*>(bytes.data()), int{N}).toHex().toStdString();
}
template <class Handle>
Handle to_handle(const std::string& text) {
    const QByteArray bytes = QByteArray::fromHex(QByteArray::fromStdString(text));
    Handle handle{};
    std::memcpy(handle.data(), bytes.data(), std::min<std::size_t>(handle.size(), bytes.size()));
    return handle;
}
inline std::string sum(const array_fixture::Bytes& bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const auto byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3;
    return std::to_string(hash);
}

/// The commands, in the other process.
class Commands {
public:
    int run() {
        array_fixture::test_driver();
        const warplight::driver::Context context = warplight::driver::Device(0).make_context();
        stream_.emplace(warplight::driver::stream_flags::NON_BLOCKING);
        answer("ready");
        for (std::string line; std::getline(std::cin, line);) {
            try {
                std::istringstream words(line);
                answer(execute(words));
            } catch (const warplight::driver::Error& error) {
                answer("error " + std::to_string(error.code()));
            }
        }
        stream_.reset();
        events_.clear();
        mapped_.clear();
        memory_.clear();
        return 0;
    }

private:
    static void answer(const std::string& text) { std::cout << text << std::endl; }

    warplight::driver::DevicePointer pointer(const std::string& name) const {
        if (const auto found = mapped_.find(name); found != mapped_.end()) return found->second;
        return memory_.at(name);
    }

    std::string execute(std::istringstream& words) {
        using namespace warplight::driver;
        std::string command, name;
        words >> command >> name;
        std::size_t size = 0;
        unsigned value = 0, delay = 0;
        if (command == "alloc") { // name bytes seed: a pattern
            words >> size >> value;
            memory_[name] = to_device(array_fixture::pattern(size, value));
        } else if (command == "export") {
            return to_text(mem_get_ipc_handle(memory_.at(name)));
        } else if (command == "free") {
            memory_.at(name).free();
            memory_.erase(name);
        } else if (command == "open") { // name handle
            std::string handle;
            words >> handle;
            mapped_[name] = IPCMemoryHandle(to_handle<IPCMemoryHandle::Bytes>(handle));
            return std::to_string(mapped_[name].size());
        } else if (command == "close") {
            mapped_.at(name).close();
            mapped_.erase(name);
        } else if (command == "sum") { // name bytes
            words >> size;
            array_fixture::Bytes bytes(size);
            memcpy_dtoh(bytes, pointer(name));
            return sum(bytes);
        } else if (command == "fill") { // name bytes value, at once
            words >> size >> value;
            memset_d8(pointer(name), static_cast<std::uint8_t>(value), size);
            Context::get_current().synchronize();
        } else if (command == "work") { // name bytes value milliseconds: queued in the stream
            words >> size >> value >> delay;
            stream_->launch_host_func([=] { std::this_thread::sleep_for(std::chrono::milliseconds(delay)); });
            memset_d8_async(pointer(name), static_cast<std::uint8_t>(value), size, &*stream_);
        } else if (command == "event") {
            events_.emplace(name, Event(event_flags::INTERPROCESS | event_flags::DISABLE_TIMING));
        } else if (command == "export-event") {
            return to_text(events_.at(name).ipc_handle());
        } else if (command == "open-event") { // name handle
            std::string handle;
            words >> handle;
            events_.emplace(name, Event::from_ipc_handle(to_handle<Event::IpcHandle>(handle)));
        } else if (command == "forget-event") {
            events_.erase(name);
        } else if (command == "record") {
            events_.at(name).record(*stream_);
        } else if (command == "query") {
            return events_.at(name).query() ? "done" : "running";
        } else if (command == "wait") {
            events_.at(name).synchronize();
        } else if (command == "stream-wait") {
            stream_->wait_for_event(events_.at(name));
        } else if (command == "synchronize") {
            stream_->synchronize();
        } else {
            return "no such command";
        }
        return "ok";
    }

    std::map<std::string, warplight::driver::DeviceAllocation> memory_;
    std::map<std::string, warplight::driver::IPCMemoryHandle> mapped_;
    std::map<std::string, warplight::driver::Event> events_;
    std::optional<warplight::driver::Stream> stream_;
};

/// Its other end, in the test.
class Process {
public:
    Process() {
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start(QCoreApplication::applicationFilePath(), {kRole});
        if (line() != "ready") qFatal("the other process did not start");
    }
    ~Process() {
        process_.closeWriteChannel();
        if (!process_.waitForFinished(30000)) kill();
    }
    /// Without the chance to clean up.
    void kill() {
        process_.kill();
        process_.waitForFinished(30000);
    }
    /// What it answers.
    std::string ask(const std::string& command) {
        process_.write((command + "\n").c_str());
        return line();
    }
    bool ended_well() {
        process_.closeWriteChannel();
        return process_.waitForFinished(30000) && process_.exitStatus() == QProcess::NormalExit &&
               process_.exitCode() == 0;
    }

private:
    std::string line() {
        while (!process_.canReadLine())
            if (!process_.waitForReadyRead(60000)) return "nothing";
        return process_.readLine().trimmed().toStdString();
    }
    QProcess process_;
};

} // namespace other_process
