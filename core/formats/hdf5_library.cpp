// SPDX-License-Identifier: Apache-2.0
#include "formats/hdf5_library.hpp"

#include "formats/optional_library.hpp"
#include "warplight/error.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace warplight::formats {
namespace {

constexpr std::array kHdf5Names = {
#ifdef _WIN32
    "hdf5.dll",
#else
    "libhdf5_serial.so.103", // Debian 12, Ubuntu 22.04 and 24.04
    "libhdf5_serial.so.310", // Debian 13
    "libhdf5_serial.so.320", "libhdf5.so.103",    "libhdf5.so.200", "libhdf5.so.310",
    "libhdf5.so.320",        "libhdf5_serial.so", "libhdf5.so",
#endif
};
constexpr LibraryChoice kHdf5{"HDF5 files", "WARPLIGHT_HDF5_LIBRARY", kHdf5Names};

struct Opened {
    Hdf5Library library;
    std::string problem;
};

template <class T>
bool find_value(void* library, const char* name, T& to) {
    const void* place = symbol_of(library, name);
    if (place) to = *static_cast<const T*>(place);
    return place != nullptr;
}

/// Which of the library's names is missing; empty where it has all.
std::string load_functions(void* library, Hdf5Library& to) {
#define WARPLIGHT_HDF5(name, result, parameters)                                                                       \
    to.name = reinterpret_cast<decltype(to.name)>(symbol_of(library, #name));                                          \
    if (!to.name) return #name;
#include "formats/hdf5_functions.def"
#undef WARPLIGHT_HDF5
    return {};
}

/// The same of its variables, which it fills when it is initialised.
std::string load_types(void* library, Hdf5Types& to) {
    const std::pair<const char*, hid_t*> variables[] = {
        {"H5T_STD_I8LE_g", &to.i8},
        {"H5T_STD_I16LE_g", &to.i16},
        {"H5T_STD_I32LE_g", &to.i32},
        {"H5T_STD_I64LE_g", &to.i64},
        {"H5T_STD_U8LE_g", &to.u8},
        {"H5T_STD_U16LE_g", &to.u16},
        {"H5T_STD_U32LE_g", &to.u32},
        {"H5T_STD_U64LE_g", &to.u64},
        {"H5T_IEEE_F32LE_g", &to.f32},
        {"H5T_IEEE_F64LE_g", &to.f64},
        {"H5P_CLS_FILE_ACCESS_ID_g", &to.file_access},
        {"H5P_CLS_LINK_ACCESS_ID_g", &to.link_access},
        {"H5P_CLS_DATASET_CREATE_ID_g", &to.dataset_creation},
    };
    for (const auto& [name, value] : variables)
        if (!find_value(library, name, *value)) return name;
    return {};
}

/// IEEE's half: 1 bit of sign, 5 of exponent, 10 of mantissa.
hid_t make_half(const Hdf5Library& h5) {
    constexpr std::size_t sign = 15, exponent = 10, exponent_bits = 5, mantissa_bits = 10, bias = 15;
    const hid_t type = h5.H5Tcopy(h5.types.f32);
    h5.H5Tset_fields(type, sign, exponent, exponent_bits, 0, mantissa_bits);
    h5.H5Tset_size(type, 2);
    h5.H5Tset_ebias(type, bias);
    return type;
}

std::unique_ptr<const Opened> open_hdf5() {
    auto opened = std::make_unique<Opened>();
    Hdf5Library& h5 = opened->library;
    void* library = open_optional_library(kHdf5, opened->problem);
    if (!library) return opened;
    std::string missing = load_functions(library, h5);
    if (missing.empty() && h5.H5open() >= 0) missing = load_types(library, h5.types);
    unsigned major = 0, minor = 0, release = 0;
    if (missing.empty()) h5.H5get_libversion(&major, &minor, &release);
    constexpr unsigned oldest_minor = 10; // since then identifiers have 64 bits
    if (!missing.empty() || (major == 1 && minor < oldest_minor)) {
        opened->problem = missing.empty()
                              ? fmt::format("the library for HDF5 files is version {}.{}.{}, and 1.10 is needed", major,
                                            minor, release)
                              : fmt::format("the library for HDF5 files lacks {}", missing);
        return opened;
    }
    h5.H5Eset_auto2(hdf5::default_list, nullptr, nullptr); // what goes wrong is told by exceptions
    h5.H5PLset_loading_state(0);                           // files name plug-ins; none is loaded
    h5.types.f16 = make_half(h5);
    return opened;
}

} // namespace

std::mutex& Hdf5Library::lock() {
    static std::mutex mutex;
    return mutex;
}

const Hdf5Library& Hdf5Library::get(const std::string& file) {
    static const std::unique_ptr<const Opened> opened = open_hdf5();
    if (opened->problem.empty()) return opened->library;
    throw driver::FileError(
        file, "is an HDF5 file, and " + opened->problem,
        "Install libhdf5: the package libhdf5-103-1 of Debian 12, libhdf5-310 of Debian 13, hdf5 of "
        "Fedora; or save the data as .npy");
}

std::string Hdf5Library::last_error() const {
    std::string text;
    const auto keep = [](unsigned, const Hdf5Error* error, void* to) -> herr_t {
        if (error->description && *error->description) *static_cast<std::string*>(to) = error->description;
        return 0;
    };
    constexpr int from_outside = 1; // so the innermost comes last
    H5Ewalk2(hdf5::default_list, from_outside, keep, &text);
    constexpr std::size_t longest = 200;
    return text.substr(0, longest);
}

} // namespace warplight::formats
