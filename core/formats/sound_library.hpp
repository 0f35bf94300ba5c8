// SPDX-License-Identifier: Apache-2.0
// libsndfile, opened when a sound is read or written: a package need not carry the codecs that it brings along.
#pragma once

#include <cstdint>
#include <string>

namespace warplight::formats {

struct SoundInfo { // SF_INFO
    std::int64_t frames;
    int rate, channels, format, sections, seekable;
};
struct SoundFile; // SNDFILE
/// SF_VIRTUAL_IO: a file as functions. `origin` is that of fseek().
struct SoundStream {
    std::int64_t (*size)(void* stream);
    std::int64_t (*seek)(std::int64_t offset, int origin, void* stream);
    std::int64_t (*read)(void* to, std::int64_t count, void* stream);
    std::int64_t (*write)(const void* from, std::int64_t count, void* stream);
    std::int64_t (*tell)(void* stream);
};

/// The values of the library's enumerations that are of interest.
namespace sound {
inline constexpr int reading = 0x10, writing = 0x20;
inline constexpr int wav = 0x010000;
inline constexpr int encoding_mask = 0xffff;
inline constexpr int pcm16 = 2, pcm24 = 3, pcm32 = 4, pcm_u8 = 5, float32 = 6, float64 = 7;
} // namespace sound

struct SoundLibrary {
    SoundFile* (*sf_open_virtual)(SoundStream* functions, int mode, SoundInfo* info, void* stream) = nullptr;
    int (*sf_close)(SoundFile* file) = nullptr;
    const char* (*sf_strerror)(SoundFile* file) = nullptr;
    std::int64_t (*sf_readf_short)(SoundFile* file, short* to, std::int64_t frames) = nullptr;
    std::int64_t (*sf_readf_int)(SoundFile* file, int* to, std::int64_t frames) = nullptr;
    std::int64_t (*sf_readf_float)(SoundFile* file, float* to, std::int64_t frames) = nullptr;
    std::int64_t (*sf_readf_double)(SoundFile* file, double* to, std::int64_t frames) = nullptr;
    std::int64_t (*sf_writef_short)(SoundFile* file, const short* from, std::int64_t frames) = nullptr;
    std::int64_t (*sf_writef_int)(SoundFile* file, const int* from, std::int64_t frames) = nullptr;
    std::int64_t (*sf_writef_float)(SoundFile* file, const float* from, std::int64_t frames) = nullptr;
    std::int64_t (*sf_writef_double)(SoundFile* file, const double* from, std::int64_t frames) = nullptr;

    /// Opened at the first call. @throws FileError about `file` where there is none
    static const SoundLibrary& get(const std::string& file);
};

} // namespace warplight::formats
