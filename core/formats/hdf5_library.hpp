// SPDX-License-Identifier: Apache-2.0
// libhdf5, opened when an HDF5 file is read or written. Debian's needs libcurl and OpenSSL, which no start should wait
// for and no package carry. So its functions are declared here, as they are since version 1.10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace warplight::formats {

using hid_t = std::int64_t;
using herr_t = int;
using hsize_t = unsigned long long;
using hssize_t = long long;

struct Hdf5Error { // H5E_error2_t
    hid_t error_class, major, minor;
    unsigned line;
    const char *function, *file, *description;
};
using Hdf5ErrorVisitor = herr_t (*)(unsigned depth, const Hdf5Error* error, void* data);
using Hdf5LinkVisitor = herr_t (*)(const char* file, const char* group, const char* other_file, const char* object,
                                   unsigned* flags, hid_t access, void* data);

/// The values of the library's enumerations that are of interest.
namespace hdf5 {
inline constexpr hid_t default_list = 0, all = 0;
inline constexpr unsigned read_only = 0, truncate = 2;
inline constexpr int type_integer = 0, type_float = 1, type_string = 3, type_bitfield = 4, type_compound = 6,
                     type_reference = 7, type_enum = 8, type_vlen = 9, type_array = 10;
inline constexpr int object_group = 2, object_dataset = 5;
inline constexpr int space_scalar = 0, space_simple = 1;
inline constexpr int layout_virtual = 3;
inline constexpr int signed_number = 1;
} // namespace hdf5

/// The library's own types of numbers, little-endian, and kinds of property lists.
struct Hdf5Types {
    hid_t i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    hid_t f16; ///< made here: NumPy's float16
    hid_t file_access, link_access, dataset_creation;
};

struct Hdf5Library {
#define WARPLIGHT_HDF5(name, result, parameters) result(*name) parameters = nullptr; // NOLINT(*-macro-parentheses)
#include "formats/hdf5_functions.def"
#undef WARPLIGHT_HDF5
    Hdf5Types types{};

    /// Opened at the first call. @throws FileError about `file` where there is none
    static const Hdf5Library& get(const std::string& file);
    /// The library has no threads: who calls it holds this.
    static std::mutex& lock();
    /// Its words for the last failure, the innermost ones; empty where there are none.
    [[nodiscard]] std::string last_error() const;
};

/// An identifier that is closed at the end.
class Hdf5Id {
public:
    using Close = herr_t (*)(hid_t);
    Hdf5Id() = default;
    Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
    Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Id& operator=(Hdf5Id&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    Hdf5Id(const Hdf5Id&) = delete;
    Hdf5Id& operator=(const Hdf5Id&) = delete;
    ~Hdf5Id() {
        if (id_ > 0 && close_) close_(id_);
    }
    [[nodiscard]] hid_t get() const noexcept { return id_; }
    [[nodiscard]] bool ok() const noexcept { return id_ > 0; }

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

} // namespace warplight::formats
