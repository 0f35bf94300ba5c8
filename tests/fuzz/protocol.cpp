// SPDX-License-Identifier: Apache-2.0
// Any bytes as the worker's input: messages are refused or understood, and what asks for buffers gets
// an answer or an error.
#include "worker/buffer_methods.hpp"
#include "worker/message.hpp"
#include "worker/utf8.hpp"

#include "warplight/error.hpp"
#include "warplight/ndarray.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace warplight;
using namespace warplight::worker;

namespace {

struct Stream {
    const std::byte* at;
    std::size_t left;
    static std::size_t read(void* self, std::byte* to, std::size_t size) {
        auto& stream = *static_cast<Stream*>(self);
        if (size > stream.left) size = stream.left;
        std::memcpy(to, stream.at, size);
        stream.at += size;
        stream.left -= size;
        return size;
    }
};

BufferStore& store() {
    static BufferStore instance;
    static const bool filled = [] {
        NdArray plain = NdArray::zeros({7, 5}, DType::float32());
        for (std::size_t i = 0; i < plain.size(); ++i)
            plain.set_item(i, static_cast<double>(i) - 9);
        instance.add(std::make_shared<NdArray>(plain), "plain", "fuzz");
        instance.add(std::make_shared<NdArray>(plain.transpose().slice(0, 4, 3, -2)), "strided", "fuzz");
        instance.add(std::make_shared<NdArray>(NdArray::empty({0, 3}, DType::int16())), "empty", "fuzz");
        instance.add(std::make_shared<NdArray>(NdArray::zeros({}, DType::complex128())), "scalar", "fuzz");
        instance.add(std::make_shared<NdArray>(NdArray::zeros({3}, DType::opaque(5))), "opaque", "fuzz");
        return true;
    }();
    (void)filled;
    return instance;
}

/// An answer is a message that a client takes, whatever the request had in its texts.
void check_answer(const json& result) {
    const std::vector<std::byte> bytes = encode_answer({{"result", result}});
    json again;
    std::string problem;
    if (!decode_message(std::span(bytes).subspan(4), again, problem) || !has_utf8_only(again)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    Stream stream{bytes, size};
    FrameReader frames(&Stream::read, &stream);
    std::vector<std::byte> frame;
    while (frames.next(frame) == FrameReader::Result::message)
        if (frame.size() > size) std::abort();

    json message;
    std::string problem;
    const bool fine = check_cbor(std::span(bytes, size)).empty();
    if (!decode_message(std::span(bytes, size), message, problem)) {
        if (problem.empty()) std::abort();
        return 0;
    }
    if (!fine) std::abort();
    if (!has_utf8_only(as_utf8(message))) std::abort();
    const auto method = message.find("method");
    const auto params = message.find("params");
    if (method == message.end() || !method->is_string() || params == message.end()) return 0;
    const std::string name = *method;
    // These would touch files, or leave nothing to ask for.
    if (name == "buffer.open" || name == "buffer.members" || name == "buffer.save" || name == "buffer.close") return 0;
    try {
        check_answer(call_buffer_method(name, *params, store(), RequestContext{}));
    } catch (const RequestError& error) {
        if (error.what()[0] == '\0') std::abort();
        check_answer(error.what());
    } catch (const Error&) {
    }
    return 0;
}
