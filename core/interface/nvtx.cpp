// SPDX-License-Identifier: Apache-2.0
#include "warplight/nvtx.hpp"

#include "driver/library.hpp"

#include <memory>
#include <new>
#include <utility>

#if !defined(WARPLIGHT_NVTX_LIBRARY) && __has_include(<nvtx3/nvToolsExt.h>)
#define WARPLIGHT_NVTX_HEADER 1
#include <nvtx3/nvToolsExt.h>
#endif

namespace warplight::nvtx {

namespace {

constexpr const char* kDomain = "Warplight";

#if defined(WARPLIGHT_NVTX_HEADER)

using Attributes = nvtxEventAttributes_t;

/// The header's functions, which look for a listener at the first call.
struct Functions {
    nvtxDomainHandle_t domain = nvtxDomainCreateA(kDomain);
    void mark(const Attributes& a) const { nvtxDomainMarkEx(domain, &a); }
    void push(const Attributes& a) const { nvtxDomainRangePushEx(domain, &a); }
    void pop() const { nvtxDomainRangePop(domain); }
    std::uint64_t start(const Attributes& a) const { return nvtxDomainRangeStartEx(domain, &a); }
    void end(std::uint64_t id) const { nvtxDomainRangeEnd(domain, id); }
};

#else

/// nvtxEventAttributes_t of version 2, which that of version 3 is too.
struct Attributes {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType;
    std::int32_t reserved0;
    union {
        std::uint64_t ullValue;
        std::int64_t llValue;
    } payload;
    std::int32_t messageType;
    union {
        const char* ascii;
    } message;
};
static_assert(sizeof(Attributes) == 48);

constexpr int NVTX_VERSION = 2;
constexpr int NVTX_COLOR_ARGB = 1;
constexpr int NVTX_PAYLOAD_TYPE_INT64 = 2;
constexpr int NVTX_MESSAGE_TYPE_ASCII = 1;

#if defined(_WIN32)
#define WARPLIGHT_NVTX_CALL __stdcall
constexpr const char* kLibrary = "nvToolsExt64_1.dll";
#else
#define WARPLIGHT_NVTX_CALL
constexpr const char* kLibrary = "libnvToolsExt.so.1";
#endif

/// The library's functions: all of them, or no domain.
struct Functions {
    using Create = void*(WARPLIGHT_NVTX_CALL*)(const char*);
    using Mark = void(WARPLIGHT_NVTX_CALL*)(void*, const Attributes*);
    using Push = int(WARPLIGHT_NVTX_CALL*)(void*, const Attributes*);
    using Pop = int(WARPLIGHT_NVTX_CALL*)(void*);
    using Start = std::uint64_t(WARPLIGHT_NVTX_CALL*)(void*, const Attributes*);
    using End = void(WARPLIGHT_NVTX_CALL*)(void*, std::uint64_t);

    Functions() {
        std::string why;
        void* library = driver::detail::open_library(kLibrary, why);
        if (!library) return;
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                driver::detail::find_symbol(library, name));
            return function != nullptr;
        };
        Create create = nullptr;
        if (find(create, "nvtxDomainCreateA") && find(mark_, "nvtxDomainMarkEx") &&
            find(push_, "nvtxDomainRangePushEx") && find(pop_, "nvtxDomainRangePop") &&
            find(start_, "nvtxDomainRangeStartEx") && find(end_, "nvtxDomainRangeEnd"))
            domain = create(kDomain);
    }
    void mark(const Attributes& a) const { mark_(domain, &a); }
    void push(const Attributes& a) const { push_(domain, &a); }
    void pop() const { pop_(domain); }
    std::uint64_t start(const Attributes& a) const { return start_(domain, &a); }
    void end(std::uint64_t id) const { end_(domain, id); }

    void* domain = nullptr;

private:
    Mark mark_ = nullptr;
    Push push_ = nullptr;
    Pop pop_ = nullptr;
    Start start_ = nullptr;
    End end_ = nullptr;
};

#endif

/// Null where nobody listens: then there is no domain.
const Functions* listener() noexcept {
    // Never destroyed: ranges may end as late as the process.
    static const Functions* const functions = [] {
        std::unique_ptr<Functions> found(new (std::nothrow) Functions);
        return found && found->domain ? found.release() : nullptr;
    }();
    return functions;
}

Attributes attributes_of(const std::string& message, const Look& look) {
    Attributes attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = sizeof attributes;
    attributes.category = look.category;
    if (look.color) {
        attributes.colorType = NVTX_COLOR_ARGB;
        attributes.color = *look.color;
    }
    if (look.payload) {
        attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
        attributes.payload.llValue = *look.payload;
    }
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = message.c_str();
    return attributes;
}

} // namespace

bool active() noexcept { return listener() != nullptr; }

void mark(const std::string& message, const Look& look) {
    if (const Functions* tool = listener()) tool->mark(attributes_of(message, look));
}

Range::Range(const std::string& message, const Look& look) {
    if (const Functions* tool = listener()) tool->push(attributes_of(message, look));
}
Range::~Range() {
    if (const Functions* tool = listener()) tool->pop();
}

SpanningRange::SpanningRange(const std::string& message, const Look& look) {
    if (const Functions* tool = listener()) id_ = tool->start(attributes_of(message, look));
}
SpanningRange::SpanningRange(SpanningRange&& other) noexcept : id_(std::exchange(other.id_, std::nullopt)) {}
SpanningRange& SpanningRange::operator=(SpanningRange&& other) noexcept {
    if (this != &other) {
        end();
        id_ = std::exchange(other.id_, std::nullopt);
    }
    return *this;
}
void SpanningRange::end() noexcept {
    if (id_) listener()->end(*id_);
    id_.reset();
}

} // namespace warplight::nvtx
