// SPDX-License-Identifier: Apache-2.0
#include "formats/sound.hpp"

#include "files/input_file.hpp"
#include "formats/output_stream.hpp"
#include "formats/sound_library.hpp"
#include "interface/input.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warplight::formats {
namespace {

constexpr std::size_t kMostSoundChannels = 256;
/// Frames that a byte may unfold to: the densest packing has 160 in 33 bytes.
constexpr std::uint64_t kMostFramesOfByte = 8;

using OpenSound = std::unique_ptr<SoundFile, int (*)(SoundFile*)>;

struct SoundInput {
    const files::InputFile& file;
    std::uint64_t place = 0;
    std::optional<files::InputError> problem = std::nullopt;
};

/// The place that `offset` names; -1 for one outside of the file.
std::int64_t place_of(std::int64_t offset, int origin, std::uint64_t here, std::uint64_t size) {
    const std::uint64_t from = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? here : size;
    const std::int64_t place = static_cast<std::int64_t>(from) + offset;
    return place < 0 || static_cast<std::uint64_t>(place) > size ? -1 : place;
}

SoundStream input_functions() {
    return {
        .size = [](void* to) { return static_cast<std::int64_t>(static_cast<SoundInput*>(to)->file.size()); },
        .seek =
            [](std::int64_t offset, int origin, void* to) {
                auto& input = *static_cast<SoundInput*>(to);
                const auto place = place_of(offset, origin, input.place, input.file.size());
                if (place >= 0) input.place = static_cast<std::uint64_t>(place);
                return place;
            },
        .read =
            [](void* bytes, std::int64_t count, void* to) {
                auto& input = *static_cast<SoundInput*>(to);
                try {
                    const auto read = input.file.read_some(
                        input.place, {static_cast<std::byte*>(bytes), static_cast<std::size_t>(count)});
                    input.place += read;
                    return static_cast<std::int64_t>(read);
                } catch (const files::InputError& error) {
                    input.problem = error;
                    return std::int64_t{0};
                }
            },
        .write = [](const void*, std::int64_t, void*) { return std::int64_t{0}; },
        .tell = [](void* to) { return static_cast<std::int64_t>(static_cast<SoundInput*>(to)->place); },
    };
}

SoundStream output_functions() {
    return {
        .size = [](void* to) { return static_cast<std::int64_t>(static_cast<OutputStream*>(to)->size()); },
        .seek =
            [](std::int64_t offset, int origin, void* to) {
                auto& output = *static_cast<OutputStream*>(to);
                const auto place = place_of(offset, origin, output.place(), output.size());
                return place >= 0 && output.seek(static_cast<std::uint64_t>(place)) ? place : std::int64_t{-1};
            },
        .read =
            [](void* bytes, std::int64_t count, void* to) {
                return static_cast<std::int64_t>(static_cast<OutputStream*>(to)->read(
                    {static_cast<std::byte*>(bytes), static_cast<std::size_t>(count)}));
            },
        .write =
            [](const void* bytes, std::int64_t count, void* to) {
                const bool good = static_cast<OutputStream*>(to)->write(
                    {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(count)});
                return good ? count : std::int64_t{0};
            },
        .tell = [](void* to) { return static_cast<std::int64_t>(static_cast<OutputStream*>(to)->place()); },
    };
}

/// The library reads what is left of a file that was cut, and does not say so. A length of 0 or of all ones is that of
/// a stream whose end was not known.
bool is_cut_short(const files::InputFile& file) {
    std::array<std::byte, 8> head{};
    if (file.read_some(0, head) != head.size() || std::memcmp(head.data(), "RIFF", 4) != 0) return false;
    std::uint32_t length = 0;
    for (std::size_t i = 8; i-- > 4;)
        length = length << 8 | std::to_integer<std::uint32_t>(head[i]);
    return length != 0 && length != UINT32_MAX && head.size() + length > file.size();
}

DType dtype_of_encoding(int format) {
    switch (format & sound::encoding_mask) {
    case sound::pcm_u8: return DType::uint8();
    case sound::pcm24:
    case sound::pcm32: return DType::int32();
    case sound::float32: return DType::float32();
    case sound::float64: return DType::float64();
    default: return DType::int16();
    }
}

class SoundReader {
public:
    explicit SoundReader(const std::filesystem::path& path)
        : path_(path.string()), input_(path), library_(SoundLibrary::get(path_)) {
        sound_ = {library_.sf_open_virtual(&functions_, sound::reading, &info_, &stream_), library_.sf_close};
        if (!sound_) refuse(fmt::format("cannot be read as a sound (libsndfile: {})", library_.sf_strerror(nullptr)));
        if (info_.channels < 1 || info_.frames < 0 ||
            static_cast<std::uint64_t>(info_.frames) > kMostFramesOfByte * input_.size())
            refuse("is damaged: it announces more samples than it can hold");
        if (is_cut_short(input_)) refuse("is cut short: its head announces a longer file");
    }

    [[nodiscard]] ArrayHead head() const {
        const auto frames = static_cast<std::size_t>(info_.frames);
        const auto channels = static_cast<std::size_t>(info_.channels);
        return {dtype_of_encoding(info_.format), channels == 1 ? Shape{frames} : Shape{frames, channels}};
    }
    [[nodiscard]] int rate() const { return info_.rate < 1 || info_.rate > most_sound_rate ? 0 : info_.rate; }
    NdArray read(const FitsMemory& fits) {
        const ArrayHead made = head();
        fits(count_elements(made.shape, made.dtype.itemsize()) * made.dtype.itemsize());
        NdArray array = NdArray::empty(made.shape, made.dtype);
        std::int64_t read = 0;
        if (made.dtype == DType::float32())
            read = library_.sf_readf_float(sound_.get(), array.as_mutable<float>().data(), info_.frames);
        else if (made.dtype == DType::float64())
            read = library_.sf_readf_double(sound_.get(), array.as_mutable<double>().data(), info_.frames);
        else if (made.dtype == DType::int32())
            read = library_.sf_readf_int(sound_.get(), array.as_mutable<int>().data(), info_.frames);
        else if (made.dtype == DType::int16())
            read = library_.sf_readf_short(sound_.get(), array.as_mutable<short>().data(), info_.frames);
        else
            read = read_bytes_of_samples(array);
        if (read != info_.frames)
            refuse(
                fmt::format("is cut short: {} of {} samples are there", std::max<std::int64_t>(read, 0), info_.frames));
        return array;
    }

private:
    /// The library gives samples of a byte as the upper half of 16 bits, around 0.
    std::int64_t read_bytes_of_samples(NdArray& array) {
        const NdArray wide = NdArray::empty(array.shape(), DType::int16());
        const auto from = wide.as_mutable<short>();
        const std::int64_t read = library_.sf_readf_short(sound_.get(), from.data(), info_.frames);
        const auto to = array.as_mutable<std::uint8_t>();
        for (std::size_t i = 0; read == info_.frames && i < to.size(); ++i)
            to[i] = static_cast<std::uint8_t>((from[i] >> 8) + 128);
        return read;
    }
    [[noreturn]] void refuse(const std::string& problem) const {
        if (stream_.problem) throw *stream_.problem;
        throw FileError(path_, problem);
    }

    std::string path_;
    files::InputFile input_;
    const SoundLibrary& library_;
    SoundInput stream_{input_};
    SoundStream functions_ = input_functions();
    SoundInfo info_{};
    OpenSound sound_{nullptr, nullptr};
};

/// How samples of a dtype are stored; 0 where they are not.
int encoding_of(const DType& dtype) {
    if (dtype == DType::int16()) return sound::pcm16;
    if (dtype == DType::int32()) return sound::pcm32;
    if (dtype == DType::float32()) return sound::float32;
    if (dtype == DType::float64()) return sound::float64;
    return 0;
}

} // namespace

bool is_sound(std::string_view extension) { return extension == ".wav"; }

ArrayHead sound_head(const std::filesystem::path& path) {
    return detail::with_file_errors(path.string(), [&] { return SoundReader(path).head(); });
}

NdArray read_sound(const std::filesystem::path& path, const FitsMemory& fits) {
    return detail::with_file_errors(path.string(), [&] { return SoundReader(path).read(fits); });
}

int sound_rate(const std::filesystem::path& path) {
    return detail::with_file_errors(path.string(), [&] { return SoundReader(path).rate(); });
}

std::string why_no_sound(const DType& dtype, const Shape& shape) {
    const bool frames = shape.size() == 1 || (shape.size() == 2 && shape[1] >= 1 && shape[1] <= kMostSoundChannels);
    if (encoding_of(dtype) == 0 || !frames)
        return fmt::format("A .wav file takes int16, int32, float32 or float64 of shape [samples] or [samples, "
                           "channels], not {} of shape {}. Let the kernel write such an array, or choose .npy.",
                           dtype.name(), to_string(shape));
    if (count_elements(shape, dtype.itemsize()) * dtype.itemsize() > std::size_t{UINT32_MAX} / 2)
        return "A .wav file may have 2 GiB of samples. Choose .npy for a longer one.";
    return {};
}

void write_sound(files::NewFile& out, const OutputArray& array, int rate, const Step& step) {
    const std::string path = out.path().string();
    if (rate < 0 || rate > most_sound_rate)
        throw FileError(path, fmt::format("cannot have {} samples a second, but 1 to {}", rate, most_sound_rate));
    const SoundLibrary& library = SoundLibrary::get(path);
    OutputStream stream(out);
    SoundStream functions = output_functions();
    const int channels = array.shape.size() == 2 ? static_cast<int>(array.shape[1]) : 1;
    SoundInfo info{0, rate ? rate : usual_sound_rate, channels, sound::wav | encoding_of(array.dtype), 0, 0};
    OpenSound sound(library.sf_open_virtual(&functions, sound::writing, &info, &stream), library.sf_close);
    const auto check = [&](bool good) {
        stream.rethrow();
        if (!good)
            throw FileError(path, fmt::format("cannot be written (libsndfile: {})", library.sf_strerror(sound.get())));
    };
    check(sound != nullptr);
    const std::size_t size = size_of(array);
    const auto frames = static_cast<std::int64_t>(size / static_cast<std::size_t>(channels));
    const void* samples = size ? array.read(0, size).data() : nullptr;
    std::int64_t written = 0;
    if (frames == 0)
        written = 0;
    else if (array.dtype == DType::int16())
        written = library.sf_writef_short(sound.get(), static_cast<const short*>(samples), frames);
    else if (array.dtype == DType::int32())
        written = library.sf_writef_int(sound.get(), static_cast<const int*>(samples), frames);
    else if (array.dtype == DType::float32())
        written = library.sf_writef_float(sound.get(), static_cast<const float*>(samples), frames);
    else
        written = library.sf_writef_double(sound.get(), static_cast<const double*>(samples), frames);
    check(written == frames);
    if (step) step(size);
    library.sf_close(sound.release()); // writes the lengths
    stream.rethrow();
}

} // namespace warplight::formats
