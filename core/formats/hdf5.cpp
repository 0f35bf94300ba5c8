// SPDX-License-Identifier: Apache-2.0
#include "formats/hdf5.hpp"

#include "files/new_file.hpp"
#include "files/risky_read.hpp"
#include "formats/choose_member.hpp"
#include "formats/hdf5_library.hpp"
#include "formats/hdf5_types.hpp"
#include "formats/plain_name.hpp"
#include "interface/input.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warplight::formats {
namespace {

constexpr std::size_t kMostDatasets = 10000;
constexpr int kDeepestGroup = 32;
constexpr std::size_t kLongestLinkName = 1024;

/// Where the library finds a file that is open already, so that it is the one that was checked.
std::string path_for_library(const files::InputFile& file) {
#ifdef _WIN32
    const auto text = file.path().u8string();
    return {text.begin(), text.end()};
#else
    return fmt::format("/proc/self/fd/{}", file.handle());
#endif
}

herr_t refuse_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) { return -1; }

/// Begins with the same bytes as every HDF5 file without a block of its user's.
bool is_cut_or_other(const files::InputFile& file) {
    constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    std::array<std::byte, signature.size()> head{};
    return file.read_some(0, head) != head.size() ||
           !std::equal(signature.begin(), signature.end(), head.begin(),
                       [](unsigned char a, std::byte b) { return std::byte{a} == b; });
}

class Hdf5File {
public:
    explicit Hdf5File(const std::filesystem::path& path)
        : path_(path.string()), input_(path), h5_(Hdf5Library::get(path_)), guard_(Hdf5Library::lock()), risk_(path) {
        access_ = Hdf5Id(h5_.H5Pcreate(h5_.types.link_access), h5_.H5Pclose);
        h5_.H5Pset_elink_cb(access_.get(), refuse_link, nullptr);
        file_ =
            Hdf5Id(h5_.H5Fopen(path_for_library(input_).c_str(), hdf5::read_only, hdf5::default_list), h5_.H5Fclose);
        if (file_.ok()) return;
        if (is_cut_or_other(input_)) throw FileError(path_, input_.size() ? "is no HDF5 file" : "is empty");
        refuse("is damaged or cut short");
    }

    std::vector<Member> members() {
        std::vector<Member> all;
        list(file_, {}, 0, all);
        return all;
    }
    ArrayHead head(const std::string& name) { return opened(name).head; }
    NdArray read(const std::string& name, const FitsMemory& fits) {
        const Dataset data = opened(name);
        const std::size_t count = count_elements(data.head.shape, data.head.dtype.itemsize());
        fits(count * data.head.dtype.itemsize());
        NdArray array = NdArray::empty(data.head.shape, data.head.dtype);
        if (count == 0) return array;
        if (h5_.H5Dread(data.id.get(), data.memory.get(), hdf5::all, hdf5::all, hdf5::default_list,
                        array.mutable_data()) < 0)
            refuse(fmt::format("is damaged: {} cannot be read", name));
        return array;
    }

private:
    struct Dataset {
        Hdf5Id id, memory;
        ArrayHead head;
    };

    [[noreturn]] void refuse(const std::string& problem) const {
        const std::string reason = h5_.last_error();
        throw FileError(path_, reason.empty() ? problem : fmt::format("{} (libhdf5: {})", problem, reason));
    }

    static std::vector<std::string> names_of(const std::vector<Member>& members) {
        std::vector<std::string> names(members.size());
        std::ranges::transform(members, names.begin(), &Member::name);
        return names;
    }
    /// The dataset that a session names.
    Dataset opened(std::string name) {
        if (name.empty()) {
            const std::vector<std::string> names = names_of(members());
            name = names[choose_member(path_, names, name, "dataset")];
        }
        Hdf5Id object(h5_.H5Oopen(file_.get(), name.c_str(), access_.get()), h5_.H5Oclose);
        if (!object.ok() || h5_.H5Iget_type(object.get()) != hdf5::object_dataset) refuse_name(name);
        std::string problem;
        Dataset data = described(std::move(object), problem);
        if (!problem.empty()) throw FileError(fmt::format("{} of {}", name, path_), problem);
        return data;
    }
    [[noreturn]] void refuse_name(const std::string& name) {
        const std::string reason = h5_.last_error();
        const std::vector<std::string> names = names_of(members());
        const bool listed =
            std::ranges::any_of(names, [&](const std::string& each) { return each == name || "/" + each == name; });
        if (listed) throw FileError(path_, fmt::format("is damaged: {} cannot be opened (libhdf5: {})", name, reason));
        (void)choose_member(path_, names, name, "dataset");
        throw FileError(path_, fmt::format("holds no dataset \"{}\"", name));
    }

    Dataset described(Hdf5Id id, std::string& problem) {
        Dataset data;
        const Hdf5Id creation(h5_.H5Dget_create_plist(id.get()), h5_.H5Pclose);
        if (h5_.H5Pget_external_count(creation.get()) != 0 ||
            h5_.H5Pget_layout(creation.get()) == hdf5::layout_virtual) {
            problem = "has its data in other files, which are not read";
            return data;
        }
        const Hdf5Id type(h5_.H5Dget_type(id.get()), h5_.H5Tclose);
        const Hdf5Id space(h5_.H5Dget_space(id.get()), h5_.H5Sclose);
        auto element = type.ok() ? element_of(h5_, type.get(), problem) : std::nullopt;
        if (!element || !element->memory.ok()) {
            if (problem.empty()) problem = "is damaged: its type cannot be read";
            return data;
        }
        const int kind = h5_.H5Sget_simple_extent_type(space.get());
        const int axes = h5_.H5Sget_simple_extent_ndims(space.get());
        constexpr int most_axes = 32;
        if ((kind != hdf5::space_scalar && kind != hdf5::space_simple) || axes < 0 || axes > most_axes) {
            problem = "holds nothing";
            return data;
        }
        std::array<hsize_t, most_axes> lengths{};
        h5_.H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
        data.head = {element->dtype, Shape(lengths.begin(), lengths.begin() + axes)};
        try {
            (void)count_elements(data.head.shape, data.head.dtype.itemsize());
        } catch (const LogicError&) {
            problem = "is damaged: it announces more elements than fit any memory";
        }
        data.memory = std::move(element->memory);
        data.id = std::move(id);
        return data;
    }

    void list(const Hdf5Id& group, const std::string& prefix, int depth, std::vector<Member>& all) {
        struct {
            int storage;
            hsize_t links;
            std::int64_t order;
            int mounted;
        } info{};
        if (h5_.H5Gget_info(group.get(), &info) < 0) refuse("is damaged: its groups cannot be read");
        for (hsize_t i = 0; i < info.links && all.size() < kMostDatasets; ++i) {
            std::array<char, kLongestLinkName> name{};
            constexpr int by_name = 0, increasing = 0;
            if (h5_.H5Lget_name_by_idx(group.get(), ".", by_name, increasing, i, name.data(), name.size(),
                                       access_.get()) < 0)
                refuse("is damaged: its groups cannot be read");
            Hdf5Id object(h5_.H5Oopen(group.get(), name.data(), access_.get()), h5_.H5Oclose);
            const std::string full = prefix + name.data();
            const int kind = object.ok() ? h5_.H5Iget_type(object.get()) : -1;
            if (kind == hdf5::object_group && depth < kDeepestGroup) {
                list(object, full + "/", depth + 1, all);
            } else if (kind == hdf5::object_dataset) {
                Member member{plain_name(full), std::nullopt, {}};
                if (member.name != full) {
                    member.problem = "has control characters in its name";
                    all.push_back(std::move(member));
                    continue;
                }
                Dataset data = described(std::move(object), member.problem);
                if (member.problem.empty()) member.head = std::move(data.head);
                all.push_back(std::move(member));
            }
        }
    }

    std::string path_;
    files::InputFile input_;
    const Hdf5Library& h5_;
    std::unique_lock<std::mutex> guard_;
    files::RiskyRead risk_; // the library does not survive all damage
    Hdf5Id access_, file_;
};

template <class Call>
auto with_hdf5_file(const std::filesystem::path& path, const Call& call) {
    return detail::with_file_errors(path.string(), [&] {
        Hdf5File file(path);
        return call(file);
    });
}

} // namespace

std::vector<Member> hdf5_members(const std::filesystem::path& path) {
    return with_hdf5_file(path, [](Hdf5File& file) { return file.members(); });
}

ArrayHead hdf5_head(const std::filesystem::path& path, const std::string& member) {
    return with_hdf5_file(path, [&](Hdf5File& file) { return file.head(member); });
}

NdArray read_hdf5(const std::filesystem::path& path, const std::string& member, const FitsMemory& fits) {
    return with_hdf5_file(path, [&](Hdf5File& file) { return file.read(member, fits); });
}

std::string why_no_hdf5(const DType& dtype, const Shape&) {
    if (dtype.is_numeric()) return {};
    return "An HDF5 file takes numbers here, and structs are none. Choose .npy or .npz.";
}

void write_hdf5(files::NewFile& out, std::span<const OutputArray> arrays, const Step& step) {
    const std::string path = out.path().string();
    const Hdf5Library& h5 = Hdf5Library::get(path);
    const std::scoped_lock guard(Hdf5Library::lock());
    const auto check = [&](bool good) {
        if (!good) throw FileError(path, fmt::format("cannot be written (libhdf5: {})", h5.last_error()));
    };
    std::size_t bytes = std::size_t{1} << 16;
    for (const OutputArray& each : arrays)
        bytes += size_of(each) * each.dtype.itemsize();
    const Hdf5Id access(h5.H5Pcreate(h5.types.file_access), h5.H5Pclose);
    check(h5.H5Pset_fapl_core(access.get(), bytes, false) >= 0);
    const Hdf5Id file(h5.H5Fcreate("result.h5", hdf5::truncate, hdf5::default_list, access.get()), h5.H5Fclose);
    check(file.ok());
    const Hdf5Id creation(h5.H5Pcreate(h5.types.dataset_creation), h5.H5Pclose);
    h5.H5Pset_obj_track_times(creation.get(), false);
    for (const OutputArray& each : arrays) {
        const std::vector<hsize_t> lengths(each.shape.begin(), each.shape.end());
        const Hdf5Id space(lengths.empty()
                               ? h5.H5Screate(hdf5::space_scalar)
                               : h5.H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr),
                           h5.H5Sclose);
        const Hdf5Id type = hdf5_type_of(h5, each.dtype);
        const Hdf5Id data(h5.H5Dcreate2(file.get(), each.name.c_str(), type.get(), space.get(), hdf5::default_list,
                                        creation.get(), hdf5::default_list),
                          h5.H5Dclose);
        check(data.ok());
        const std::size_t size = size_of(each);
        if (size)
            check(h5.H5Dwrite(data.get(), type.get(), hdf5::all, hdf5::all, hdf5::default_list,
                              each.read(0, size).data()) >= 0);
        if (step) step(size);
    }
    constexpr int local = 0;
    check(h5.H5Fflush(file.get(), local) >= 0);
    const hssize_t length = h5.H5Fget_file_image(file.get(), nullptr, 0);
    check(length > 0);
    std::vector<std::byte> image(static_cast<std::size_t>(length));
    check(h5.H5Fget_file_image(file.get(), image.data(), image.size()) == length);
    out.write(image);
}

} // namespace warplight::formats
