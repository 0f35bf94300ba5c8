// SPDX-License-Identifier: Apache-2.0
#include "formats/sound_library.hpp"

#include "formats/optional_library.hpp"
#include "warplight/error.hpp"

#include <array>
#include <string>

namespace warplight::formats {
namespace {

constexpr std::array kSoundNames = {
#ifdef _WIN32
    "sndfile.dll",
    "libsndfile-1.dll",
#else
    "libsndfile.so.1",
#endif
};
constexpr LibraryChoice kSound{"sound", "WARPLIGHT_SOUND_LIBRARY", kSoundNames};

struct OpenedSound {
    SoundLibrary library;
    std::string problem;
};

OpenedSound open_sound_library() {
    OpenedSound opened;
    void* library = open_optional_library(kSound, opened.problem);
    if (!library) return opened;
    const auto load = [&]<class Function>(Function& to, const char* name) {
        to = reinterpret_cast<Function>(symbol_of(library, name));
        if (!to && opened.problem.empty()) opened.problem = std::string("the library for sound lacks ") + name;
    };
    SoundLibrary& all = opened.library;
    load(all.sf_open_virtual, "sf_open_virtual");
    load(all.sf_close, "sf_close");
    load(all.sf_strerror, "sf_strerror");
    load(all.sf_readf_short, "sf_readf_short");
    load(all.sf_readf_int, "sf_readf_int");
    load(all.sf_readf_float, "sf_readf_float");
    load(all.sf_readf_double, "sf_readf_double");
    load(all.sf_writef_short, "sf_writef_short");
    load(all.sf_writef_int, "sf_writef_int");
    load(all.sf_writef_float, "sf_writef_float");
    load(all.sf_writef_double, "sf_writef_double");
    return opened;
}

} // namespace

const SoundLibrary& SoundLibrary::get(const std::string& file) {
    static const OpenedSound opened = open_sound_library();
    if (opened.problem.empty()) return opened.library;
    throw driver::FileError(file, "is a sound, and " + opened.problem,
                            "Install libsndfile: the package libsndfile1 of Debian, libsndfile of Fedora; or save the "
                            "data as .npy");
}

} // namespace warplight::formats
