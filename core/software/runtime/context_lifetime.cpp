// SPDX-License-Identifier: Apache-2.0
#include "context_lifetime.hpp"

#include "address_space.hpp"
#include "array.hpp"
#include "capture.hpp"
#include "context.hpp"
#include "device.hpp"
#include "event.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "ipc.hpp"
#include "leaks.hpp"
#include "module.hpp"
#include "output.hpp"
#include "texture_object.hpp"
#include "texture_reference.hpp"

#include <map>
#include <mutex>

namespace warplight::software {
namespace {

struct Primary {
    std::shared_ptr<Context> context;
    unsigned count = 0;
    unsigned flags = 0;
};
struct Primaries {
    std::mutex mutex;
    std::map<int, Primary> by_device;
};
Primaries& primaries() {
    static auto* instance = new Primaries;
    return *instance;
}

} // namespace

void destroy_context(Context& context) {
    if (!context.begin_ending()) return;
    if (context.captures > 0) {
        for (const auto& stream : context.all_streams())
            abandon_capture(*stream);
    }
    context.drain();
    flush_output();
    tell_leaks(context);
    context.forget_handles();
    handles<Event>().remove_if([&](const Event& e) { return &e.context == &context; });
    unload_all(context);
    forget_references(context);
    forget_texture_objects(context);
    forget_arrays(context);
    context.stop_all();
    forget_imports(context);
    AddressSpace::instance().release_all(&context);
    handles<Context>().remove(&context);
}

std::shared_ptr<Context> retain_primary(Device& device) {
    const std::scoped_lock lock(primaries().mutex);
    Primary& primary = primaries().by_device[device.ordinal];
    if (!primary.context) primary.context = Context::create(device, primary.flags, true);
    ++primary.count;
    return primary.context;
}

void release_primary(const Device& device) {
    std::shared_ptr<Context> last;
    {
        const std::scoped_lock lock(primaries().mutex);
        Primary& primary = primaries().by_device[device.ordinal];
        if (primary.count == 0) fail(CUDA_ERROR_INVALID_CONTEXT);
        if (--primary.count == 0) last.swap(primary.context);
    }
    if (last) destroy_context(*last);
}

void reset_primary(const Device& device) {
    std::shared_ptr<Context> last;
    {
        const std::scoped_lock lock(primaries().mutex);
        Primary& primary = primaries().by_device[device.ordinal];
        last.swap(primary.context);
        primary.count = 0;
    }
    if (last) destroy_context(*last);
}

void set_primary_flags(const Device& device, unsigned flags) {
    const std::scoped_lock lock(primaries().mutex);
    Primary& primary = primaries().by_device[device.ordinal];
    primary.flags = flags;
    if (primary.context) primary.context->set_flags(flags);
}

bool primary_state(const Device& device, unsigned& flags) {
    const std::scoped_lock lock(primaries().mutex);
    const Primary& primary = primaries().by_device[device.ordinal];
    flags = primary.flags;
    return primary.context != nullptr;
}

} // namespace warplight::software
