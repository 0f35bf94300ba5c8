// SPDX-License-Identifier: Apache-2.0
#include "bad_input.hpp"

#include <algorithm>
#include <string_view>
#include <thread>

namespace bad_input {
namespace {

constexpr std::uint64_t kOnes = ~0ull;

bool is_pointer(Kind kind) {
    return kind == Kind::out || kind == Kind::bytes || kind == Kind::input || kind == Kind::name ||
           kind == Kind::handle || kind == Kind::address;
}

/// What is read is copied to where the call finds it.
void place(Fixture& fixture, std::vector<Slot>& slots) {
    for (Slot& slot : slots) {
        if (slot.kind != Kind::input) continue;
        void* to = fixture.scratch(slot.blob.size());
        std::memcpy(to, slot.blob.data(), slot.blob.size());
        slot.bits = reinterpret_cast<std::uint64_t>(to);
    }
}

} // namespace

std::string Sweep::plain(const Row& row, const std::vector<Slot>& slots) const {
    return std::to_string(row.call(api, slots));
}

void Sweep::clean_up(const Row& row, const std::vector<Slot>& slots) {
    const std::string_view member = row.member;
    if (member == "cuStreamBeginCapture" || member == "cuStreamBeginCaptureToGraph") {
        CUgraph graph = nullptr;
        if (api.fn_cuStreamEndCapture(reinterpret_cast<CUstream>(slots[0].bits), &graph) == CUDA_SUCCESS &&
            member == "cuStreamBeginCapture")
            api.fn_cuGraphDestroy(graph);
    }
    if (member == "cuMemHostRegister") api.fn_cuMemHostUnregister(reinterpret_cast<void*>(slots[0].bits));
    if (member == "cuMemMap" || member == "cuMemUnmap") fixture_->destroy(Thing::mapped, slots[0].bits);
    if (member == "cuUserObjectRetain")
        api.fn_cuUserObjectRelease(reinterpret_cast<CUuserObject>(slots[0].bits), static_cast<unsigned>(slots[1].bits));
    if (member == "cuDevicePrimaryCtxRetain") api.fn_cuDevicePrimaryCtxRelease(0);
    if (member == "cuCtxSetLimit") {
        auto good = row.slots(*fixture_);
        (void)row.call(api, good);
    }
    const auto graph = [&] { return reinterpret_cast<CUgraph>(slots[0].bits); };
    const auto nodes = [&](int i) {
        return reinterpret_cast<const CUgraphNode*>(slots[static_cast<std::size_t>(i)].bits);
    };
    if (member.starts_with("cuGraphAddDependencies")) api.fn_cuGraphRemoveDependencies(graph(), nodes(1), nodes(2), 1);
    if (member.starts_with("cuGraphRemoveDependencies")) api.fn_cuGraphAddDependencies(graph(), nodes(1), nodes(2), 1);
    for (const Slot& slot : slots) {
        if (slot.takes) fixture_->forget(slot.thing, slot.bits);
        std::uint64_t made = 0;
        if (slot.makes && slot.bits) std::memcpy(&made, reinterpret_cast<void*>(slot.bits), sizeof made);
        if (made) fixture_->destroy(slot.thing, made);
    }
}

void Sweep::step(const Row& row, const std::string& label, const Change& change,
                 const std::function<std::string(const std::vector<Slot>&)>& call) {
    if (!wanted(row, label)) return;
    before(row, label);
    std::string result, problem;
    try {
        if (!fixture_) fixture_ = std::make_unique<Fixture>(api);
        fixture_->make_current();
        fixture_->begin_call();
        std::vector<Slot> slots = row.slots(*fixture_);
        if (change) change(*fixture_, slots);
        place(*fixture_, slots);
        // What is wanted null has no place.
        for (Slot& slot : slots)
            if (slot.kind == Kind::input && slot.blob.empty()) slot.bits = 0;
        result = call(slots);
        CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
        api.fn_cuThreadExchangeStreamCaptureMode(&mode);
        fixture_->make_current();
        if (result == "0" || result.starts_with("0:")) clean_up(row, slots);
        problem = fixture_->check();
    } catch (const std::exception& error) {
        problem = error.what();
    }
    if (!problem.empty()) fixture_.reset();
    after(row, label, result, problem);
}

void Sweep::spoil(const std::vector<Slot>& slots, std::vector<Spoilt>& safe, std::vector<Spoilt>& risky,
                  std::vector<Spoilt>& wild) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Slot& slot = slots[i];
        const std::string name = "a" + std::to_string(i) + ".";
        const auto to = [&](std::vector<Spoilt>& list, const std::string& what, std::uint64_t bits) {
            list.push_back({name + what, [=](Fixture&, std::vector<Slot>& s) { s[i].bits = bits; }});
        };
        const auto by = [&](std::vector<Spoilt>& list, const std::string& what, std::int64_t offset) {
            list.push_back({name + what,
                            [=](Fixture&, std::vector<Slot>& s) { s[i].bits += static_cast<std::uint64_t>(offset); }});
        };
        const auto owned = [&](std::vector<Spoilt>& list, const std::string& what, Owner owner) {
            list.push_back(
                {name + what, [=](Fixture& f, std::vector<Slot>& s) { s[i].bits = f.get(s[i].thing, owner); }});
        };
        const auto patch = [&](std::vector<Spoilt>& list, std::size_t at, const std::string& what, std::uint64_t bits,
                               std::size_t size) {
            list.push_back({name + std::to_string(at) + "." + what,
                            [=](Fixture&, std::vector<Slot>& s) { std::memcpy(s[i].blob.data() + at, &bits, size); }});
        };
        const auto null = [&] {
            safe.push_back({name + "null", [=](Fixture&, std::vector<Slot>& s) {
                                s[i].bits = 0;
                                if (s[i].kind == Kind::input) s[i].blob.clear();
                            }});
        };
        if (is_pointer(slot.kind)) null();
        switch (slot.kind) {
        case Kind::size:
            for (const auto& [what, bits] : {std::pair{"zero", std::uint64_t{0}},
                                             {"ones", kOnes},
                                             {"close", kOnes - 15},
                                             {"huge", std::uint64_t{1} << 50}})
                to(safe, what, bits);
            break;
        case Kind::integer:
            if (!slot.bad.empty()) {
                for (const std::uint64_t bits : slot.bad)
                    to(safe, std::to_string(bits), bits);
                break;
            }
            [[fallthrough]];
        case Kind::enumerator:
            to(safe, "big", 0x7fffffff);
            to(safe, "ones", 0xffffffff);
            break;
        case Kind::name: {
            static const std::string long_name(10000, 'x');
            to(safe, "empty", reinterpret_cast<std::uint64_t>(""));
            to(safe, "odd", reinterpret_cast<std::uint64_t>("no such folder/\x01\xff%s%n"));
            to(safe, "long", reinterpret_cast<std::uint64_t>(long_name.c_str()));
            break;
        }
        case Kind::address:
            to(safe, "one", 1);
            to(safe, "ones", kOnes);
            to(safe, "close", kOnes - 15);
            by(safe, "odd", 1);
            by(safe, "before", -1);
            by(safe, "end", kMemorySize);
            by(safe, "last", kMemorySize - 1);
            safe.push_back({name + "host", [=](Fixture& f, std::vector<Slot>& s) {
                                // Never aligned as textures are, whatever the allocator does.
                                const auto any = reinterpret_cast<std::uint64_t>(f.scratch(kMemorySize + 8192));
                                s[i].bits = (any + 4095) / 4096 * 4096 + 16;
                            }});
            if (slot.thing != Thing::reserved && slot.thing != Thing::mapped) owned(safe, "other", Owner::other);
            owned(safe, "freed", Owner::freed);
            break;
        case Kind::handle: {
            if (slot.thing == Thing::current_context) {
                risky.push_back({name + "freed", [=](Fixture& f, std::vector<Slot>& s) {
                                     s[i].bits = f.get(Thing::context, Owner::freed);
                                 }});
            } else {
                owned(slot.thing == Thing::context ? risky : safe, "other", Owner::other);
                owned(risky, "freed", Owner::freed);
                if (slot.thing != Thing::context) owned(risky, "orphan", Owner::orphan);
            }
            to(wild, "wild.small", 5);
            to(wild, "wild.ones", kOnes);
            if (slot.thing != Thing::physical)
                by(wild, "wild.odd", 1); // that is a number, and the next one may be another
            wild.push_back({name + "wild.ordinary", [=](Fixture& f, std::vector<Slot>& s) {
                                s[i].bits = reinterpret_cast<std::uint64_t>(f.scratch(4096));
                            }});
            for (const auto& [what, thing] : {std::pair{"stream", Thing::stream},
                                              {"event", Thing::event},
                                              {"module", Thing::module},
                                              {"address", Thing::memory}}) {
                if (slot.thing == thing) continue;
                wild.push_back({name + "wild." + what,
                                [=, t = thing](Fixture& f, std::vector<Slot>& s) { s[i].bits = f.get(t); }});
            }
            break;
        }
        case Kind::input:
            for (std::size_t at = 0; at + 4 <= slot.blob.size(); at += 4) {
                const auto within = [&](const std::vector<std::size_t>& list) {
                    return std::any_of(list.begin(), list.end(),
                                       [&](std::size_t each) { return each <= at && at < each + 8; });
                };
                if (within(slot.pointers)) continue;
                if (within(slot.handles)) {
                    if (std::find(slot.handles.begin(), slot.handles.end(), at) == slot.handles.end()) continue;
                    patch(safe, at, "null", 0, 8);
                    patch(wild, at, "wild.small", 5, 8);
                    patch(wild, at, "wild.ones", kOnes, 8);
                    continue;
                }
                std::uint32_t word = 0;
                std::memcpy(&word, slot.blob.data() + at, sizeof word);
                if (word != 0) patch(safe, at, "zero", 0, 4);
                patch(safe, at, "big", 0x7fffffff, 4);
                patch(safe, at, "ones", 0xffffffff, 4);
            }
            break;
        case Kind::fixed:
        case Kind::out:
        case Kind::bytes: break;
        }
    }
}

std::string Sweep::captured(const Row& row, const std::vector<Slot>& slots, int mode, bool other_thread,
                            bool blocking) {
    const CUstream stream = fixture_->capture_stream(blocking);
    if (const CUresult code = api.fn_cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)))
        return "begin " + std::to_string(code);
    int code = 0;
    if (other_thread) {
        const CUcontext context = fixture_->context();
        std::thread([&] {
            api.fn_cuCtxSetCurrent(context);
            code = row.call(api, slots);
        }).join();
    } else {
        code = row.call(api, slots);
    }
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUresult asked = api.fn_cuStreamIsCapturing(stream, &status);
    CUgraph graph = nullptr;
    const CUresult ended = api.fn_cuStreamEndCapture(stream, &graph);
    if (ended == CUDA_SUCCESS && graph) api.fn_cuGraphDestroy(graph);
    return std::to_string(code) + ":" +
           std::to_string(asked != CUDA_SUCCESS ? -static_cast<int>(asked) : static_cast<int>(status)) + ":" +
           std::to_string(ended);
}

void Sweep::captures(const Row& row, bool has_stream) {
    static constexpr const char* kModes[] = {"global", "local", "relaxed"};
    for (int mode = 0; mode < 3; ++mode) {
        for (const bool blocking : {false, true}) {
            for (const bool other : {false, true}) {
                const std::string label =
                    std::string("capture.") + kModes[mode] + (blocking ? ".blocking" : "") + (other ? ".thread" : "");
                step(row, label, nullptr,
                     [&](const auto& slots) { return captured(row, slots, mode, other, blocking); });
            }
        }
        // The stream itself, and the one that would wait for it.
        const auto instead = [](bool null) {
            return [null](Fixture& f, std::vector<Slot>& slots) {
                for (Slot& slot : slots) {
                    if (slot.thing != Thing::stream || slot.makes) continue;
                    slot.bits = null ? 0 : reinterpret_cast<std::uint64_t>(f.capture_stream(false));
                    slot.takes = false;
                }
            };
        };
        if (!has_stream) continue;
        step(row, std::string("captured.") + kModes[mode], instead(false),
             [&](const auto& slots) { return captured(row, slots, mode, false, false); });
        step(row, std::string("legacy.") + kModes[mode], instead(true),
             [&](const auto& slots) { return captured(row, slots, mode, false, true); });
    }
}

void Sweep::contexts(const Row& row) {
    step(row, "no_context", nullptr, [&](const auto& slots) {
        api.fn_cuCtxSetCurrent(nullptr);
        return plain(row, slots);
    });
    step(row, "thread", nullptr, [&](const auto& slots) {
        std::string result;
        std::thread([&] { result = plain(row, slots); }).join();
        return result;
    });
}

void Sweep::destroyed(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        if (!wanted(row, "destroyed")) continue;
        before(row, "destroyed");
        std::string result, problem;
        try {
            if (!fixture_) fixture_ = std::make_unique<Fixture>(api);
            fixture_->make_current();
            fixture_->begin_call();
            auto slots = row.slots(*fixture_);
            place(*fixture_, slots);
            fixture_->on_gone([&] {
                result = plain(row, slots);
                CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
                api.fn_cuThreadExchangeStreamCaptureMode(&mode);
            });
            fixture_->make_current();
            if (result == "0") clean_up(row, slots);
            problem = fixture_->check();
        } catch (const std::exception& error) {
            problem = error.what();
        }
        if (!problem.empty()) fixture_.reset();
        after(row, "destroyed", result, problem);
    }
    fixture_.reset();
}

void Sweep::dead(const std::vector<Row>& rows) {
    fixture_ = std::make_unique<Fixture>(api);
    fixture_->begin_call();
    std::vector<std::vector<Slot>> all;
    for (const Row& row : rows) {
        try {
            fixture_->make_current();
            all.push_back(row.slots(*fixture_));
            place(*fixture_, all.back());
        } catch (const std::exception&) { // reported by run()
            all.emplace_back();
        }
    }
    fixture_->end_captures();
    fixture_->kill();
    // What ends something comes last.
    for (const bool takes : {false, true}) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool ends = std::any_of(all[i].begin(), all[i].end(), [](const Slot& slot) { return slot.takes; });
            if (ends != takes || (all[i].empty() && !rows[i].zeros.empty()) || !wanted(rows[i], "dead")) continue;
            before(rows[i], "dead");
            api.fn_cuCtxSetCurrent(fixture_->context());
            const std::string result = plain(rows[i], all[i]);
            fixture_->stand_aside();
            if (result == "0") clean_up(rows[i], all[i]);
            after(rows[i], "dead", result, "");
        }
    }
    fixture_.reset();
}

void Sweep::before_init(const Row& row) {
    if (std::string_view(row.member) == "cuInit" || !wanted(row, "before_init")) return;
    before(row, "before_init");
    after(row, "before_init", plain(row, row.zeros), "");
}

void Sweep::run(const Row& row) {
    const auto call = [&](const auto& slots) { return plain(row, slots); };
    std::vector<Spoilt> looked_at, believed, odd;
    bool has_stream = false;
    try {
        if (!fixture_) fixture_ = std::make_unique<Fixture>(api);
        fixture_->make_current();
        fixture_->begin_call();
        const auto good = row.slots(*fixture_);
        fixture_->end_captures();
        spoil(good, looked_at, believed, odd);
        has_stream =
            std::string_view(row.member) != "cuStreamDestroy" &&
            std::any_of(good.begin(), good.end(), [](const Slot& s) { return s.thing == Thing::stream && !s.makes; });
    } catch (const std::exception& error) {
        before(row, "make");
        after(row, "make", "", error.what());
        fixture_.reset();
        return;
    }
    if (safe) {
        step(row, "good", nullptr, call);
        step(
            row, "null",
            [](Fixture&, std::vector<Slot>& slots) {
                for (Slot& slot : slots) {
                    if (!is_pointer(slot.kind)) continue;
                    slot.bits = 0;
                    if (slot.kind == Kind::input) slot.blob.clear();
                }
            },
            call);
        for (const Spoilt& each : looked_at)
            step(row, each.label, each.change, call);
        contexts(row);
        captures(row, has_stream);
    }
    if (risky)
        for (const Spoilt& each : believed)
            step(row, each.label, each.change, call);
    if (wild)
        for (const Spoilt& each : odd)
            step(row, each.label, each.change, call);
    if (!share)
        fixture_.reset();
    else if (fixture_)
        fixture_->renew();
}

} // namespace bad_input
