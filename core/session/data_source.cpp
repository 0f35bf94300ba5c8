// SPDX-License-Identifier: Apache-2.0
#include "session/data_source.hpp"

#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "formats/container.hpp"
#include "formats/sound.hpp"
#include "session/data_file.hpp"
#include "session/file_elements.hpp"
#include "session/generators.hpp"
#include "session/image.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <new>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

fs::path resolve(const Reach& reach, const std::string& path) {
    std::error_code problem;
    const auto named = reach.place(path);
    const auto file = [&] {
        try {
            return reach.for_reading(named);
        } catch (const OutsideError& error) {
            throw OutsideError(error.what(), error.file, "/path");
        } catch (const SessionError& error) {
            throw SessionError(error.what(), "/path");
        }
    }();
    if (fs::is_directory(file, problem))
        throw SessionError(fmt::format("{} is a folder, not a file.", file.string()), "/path");
    if (!fs::exists(file, problem))
        throw SessionError(
            fmt::format("The file {} does not exist. Correct the path, or put the file there.", named.string()),
            "/path");
    return file;
}

struct RawLayout {
    DType dtype;
    Shape shape;
};

RawLayout raw_layout(const FileSource& source, const fs::path& file, std::uint64_t size) {
    if (source.dtype.empty())
        throw SessionError(fmt::format("{} is read as raw numbers, for its extension says nothing else: give their "
                                       "type, such as float32.",
                                       file.string()),
                           "/dtype");
    RawLayout layout{DType::from_name(source.dtype), {}};
    const auto itemsize = layout.dtype.itemsize();
    if (source.offset > size)
        throw SessionError(
            fmt::format("{} has {} bytes; the offset {} lies behind its end.", file.string(), size, source.offset),
            "/offset");
    const auto rest = size - source.offset;
    if (!source.shape) {
        if (rest % itemsize)
            throw SessionError(fmt::format("{} has {} bytes after the offset, which is no whole number of {} ({} bytes "
                                           "each). Correct the type or the offset, or give the shape.",
                                           file.string(), rest, source.dtype, itemsize),
                               "/dtype");
        layout.shape = {static_cast<std::size_t>(rest / itemsize)};
        return layout;
    }
    layout.shape = *source.shape;
    std::uint64_t needed = itemsize;
    bool overflow = false;
    for (const auto length : layout.shape) {
        overflow = overflow || (length != 0 && needed > UINT64_MAX / length);
        needed = overflow ? UINT64_MAX : needed * length;
    }
    if (needed > rest)
        throw SessionError(fmt::format("{} is too short: {} of shape {} needs {} bytes, but there are {} after the "
                                       "offset. Correct the shape, the type or the offset.",
                                       file.string(), source.dtype, warplight::to_string(layout.shape), needed, rest),
                           "/shape");
    return layout;
}

NdArray read_raw(const FileSource& source, const fs::path& file) {
    const files::InputFile input(file);
    const auto layout = raw_layout(source, file, input.size());
    check_file_fits(file, warplight::count_elements(layout.shape, layout.dtype.itemsize()) * layout.dtype.itemsize());
    auto array = NdArray::empty(layout.shape, layout.dtype);
    if (array.nbytes()) input.read(source.offset, array.mutable_bytes());
    return array;
}

Shape checked_shape(const FileSource& source, const fs::path& file, const Shape& actual) {
    if (!source.shape) return actual;
    if (warplight::count_elements(*source.shape) != warplight::count_elements(actual))
        throw SessionError(fmt::format("{} holds an array of shape {}, which cannot be seen as {}: the numbers of "
                                       "elements differ. Correct the shape, or leave it out.",
                                       file.string(), warplight::to_string(actual),
                                       warplight::to_string(*source.shape)),
                           "/shape");
    return *source.shape;
}

[[noreturn]] void refuse_for_memory(const std::string& message) {
    SessionError error(message, "/shape");
    error.no_memory = true;
    throw error;
}

// Turns an error of the array or file layer into one about this source.
template <class Call>
auto explained(const Call& call) {
    try {
        return call();
    } catch (const FileError& error) {
        throw SessionError(error.what(), "/path");
    } catch (const MemoryError& error) {
        refuse_for_memory(fmt::format("There is {}. Choose a smaller shape.", error.what()));
    } catch (const files::InputError& error) {
        throw SessionError(fmt::format("{}.", error.what()), "/path");
    } catch (const Error& error) {
        throw SessionError(error.what());
    } catch (const std::bad_alloc&) {
        refuse_for_memory("There is not enough memory for the array. Choose a smaller shape, or close other programs.");
    } catch (const fs::filesystem_error& error) {
        throw SessionError(error.what(), "/path");
    }
}

/// How a file is read.
FileKind kind_of(const FileSource& source, const fs::path& file) {
    const auto kind = kind_of_file(file, source.offset, source.raw);
    if (!source.member.empty() && kind != FileKind::container)
        throw SessionError(
            fmt::format("{} holds one array, so it has no \"{}\". Leave \"member\" out, which is for .npz "
                        "and HDF5 files.",
                        file.string(), source.member.substr(0, 80)),
            "/member");
    return kind;
}

NdArray read_npy(const fs::path& file) {
    check_file_fits(file, read_npy_header(file).nbytes);
    return load_npy(file);
}

/// An array of a container. Errors about the member's name are at it.
template <class Read>
auto of_member(const FileSource& source, const fs::path& file, const Read& read) {
    try {
        return read();
    } catch (const FileError& error) {
        throw SessionError(error.what(), error.path() == file.string() && !source.member.empty() ? "/member" : "/path");
    }
}

/// The file's own array.
NdArray read_kind(const FileSource& source, const fs::path& file, FileKind kind) {
    const auto fits = [&](std::uint64_t bytes) { check_file_fits(file, bytes); };
    switch (kind) {
    case FileKind::npy: return read_npy(file);
    case FileKind::image: return read_image(file, source.dtype == "uint16");
    case FileKind::sound: return formats::read_sound(file, fits);
    case FileKind::container:
        return of_member(source, file, [&] { return formats::read_member(file, source.member, fits); });
    case FileKind::table:
    case FileKind::raw: break;
    }
    return read_csv(file, DType::from_name(source.dtype.empty() ? "float64" : source.dtype));
}

NdArray read_any(const FileSource& source, const fs::path& file) {
    const auto kind = kind_of(source, file);
    if (kind == FileKind::raw) return read_raw(source, file);
    NdArray array = read_kind(source, file, kind);
    if (!source.dtype.empty() && array.dtype() != DType::from_name(source.dtype)) {
        if (!array.dtype().is_numeric())
            throw SessionError(fmt::format("{} holds {}, which cannot be converted to {}.", file.string(),
                                           array.dtype().name(), source.dtype),
                               "/dtype");
        array = array.astype(DType::from_name(source.dtype));
    }
    if (!array.is_c_contiguous()) array = array.copy(Order::C);
    const auto shape = checked_shape(source, file, array.shape());
    return shape == array.shape() ? array : array.reshape(shape);
}

} // namespace

std::string lower_extension(const fs::path& file) {
    auto extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool is_raw_before_version_4(const std::string& path) {
    const std::string extension = lower_extension(path_from_utf8(path));
    return formats::is_container(extension) || formats::is_sound(extension) || extension == ".txt";
}

FileKind kind_of_file(const fs::path& file, std::uint64_t offset, bool raw) {
    if (raw) return FileKind::raw;
    const auto extension = lower_extension(file);
    if (extension == ".npy") return FileKind::npy;
    if (extension == ".csv" || extension == ".tsv") return FileKind::table;
    if (is_image(file)) return FileKind::image;
    if (offset != 0) return FileKind::raw; // as versions before 4 read these
    if (extension == ".txt") return FileKind::table;
    if (formats::is_container(extension)) return FileKind::container;
    if (formats::is_sound(extension)) return FileKind::sound;
    return FileKind::raw;
}

bool has_structs(const fs::path& file) {
    const auto extension = lower_extension(file);
    return extension == ".npy" || extension == ".npz";
}

formats::ArrayHead head_of_numpy(const fs::path& file, const std::string& member) {
    if (lower_extension(file) == ".npz") return formats::head_of_member(file, member);
    const auto header = read_npy_header(file);
    return {header.dtype, header.shape};
}

NdArray read_array(const FileSource& source, const Reach& reach) {
    return explained([&] { return read_any(source, resolve(reach, source.path)); });
}

NdArray materialise(const DataSource& source, const Reach& reach) {
    if (const auto* file = std::get_if<FileSource>(&source)) return read_array(*file, reach);
    return explained([&] {
        return std::visit(
            [&]<class T>(const T& generator) {
                if constexpr (std::is_same_v<T, FileSource> || std::is_same_v<T, FieldsSource>)
                    return NdArray(); // structs have no bytes before their layout is known
                else
                    return generate(generator);
            },
            source);
    });
}

namespace {

/// Before the source is compiled nobody knows how many bytes a struct has.
ArrayDescription describe_structs(const DataSource& source, const Reach& reach) {
    ArrayDescription description{std::string(struct_type), {}, 0, 0};
    std::visit(
        [&]<class T>(const T& each) {
            if constexpr (!std::is_same_v<T, FileSource>) {
                description.shape = each.shape;
            } else {
                const auto file = resolve(reach, each.path);
                description.bytes = files::InputFile(file).size();
                if (has_structs(file))
                    description.shape = checked_shape(each, file, head_of_numpy(file, each.member).shape);
                else if (each.shape)
                    description.shape = *each.shape;
            }
        },
        source);
    description.elements = description.shape.empty() ? 0 : warplight::count_elements(description.shape);
    return description;
}

} // namespace

ArrayDescription describe(const DataSource& source, const Reach& reach) {
    ArrayDescription description;
    std::size_t itemsize = 0;
    const auto set = [&](const DType& dtype, const Shape& shape) {
        description.dtype = dtype.name();
        description.shape = shape;
        itemsize = dtype.itemsize();
    };
    explained([&] {
        const auto* source_file = std::get_if<FileSource>(&source);
        if (std::visit([](const auto& each) { return each.dtype == struct_type; }, source)) {
            description = describe_structs(source, reach);
            return 0;
        }
        if (!source_file) {
            std::visit(
                [&]<class T>(const T& generator) {
                    if constexpr (!std::is_same_v<T, FileSource>)
                        set(DType::from_name(generator.dtype), generator.shape);
                },
                source);
        } else {
            const auto file = resolve(reach, source_file->path);
            const auto converted = [&](const DType& own) {
                return source_file->dtype.empty() ? own : DType::from_name(source_file->dtype);
            };
            const auto set_head = [&](const formats::ArrayHead& head) {
                set(converted(head.dtype), checked_shape(*source_file, file, head.shape));
            };
            switch (kind_of(*source_file, file)) {
            case FileKind::raw: {
                const auto layout = raw_layout(*source_file, file, files::InputFile(file).size());
                set(layout.dtype, layout.shape);
                break;
            }
            case FileKind::npy: set_head(head_of_numpy(file, {})); break;
            case FileKind::container:
                set_head(
                    of_member(*source_file, file, [&] { return formats::head_of_member(file, source_file->member); }));
                break;
            case FileKind::sound: set_head(formats::sound_head(file)); break;
            case FileKind::image: set_head({DType::uint8(), image_shape(file)}); break;
            case FileKind::table: {
                const auto array = read_any(*source_file, file);
                set(array.dtype(), array.shape());
                break;
            }
            }
        }
        description.elements = warplight::count_elements(description.shape, itemsize);
        description.bytes = description.elements * itemsize;
        return 0;
    });
    return description;
}

int sound_rate(const DataSource& source, const Reach& reach) {
    const auto* file = std::get_if<FileSource>(&source);
    if (!file || kind_of_file(path_from_utf8(file->path), file->offset, file->raw) != FileKind::sound) return 0;
    return explained([&] { return formats::sound_rate(resolve(reach, file->path)); });
}

fs::path path_for_writing(const fs::path& folder, const std::string& text, const Reach& agreed) {
    const auto refuse = [&](std::string_view why, const fs::path& where = {}) -> fs::path {
        throw SessionError(fmt::format("\"{}\" cannot be written: {}. A session writes only below its own folder, or "
                                       "below the one chosen for results; use a plain relative path.{}",
                                       text, why, where.empty() ? "" : " " + Reach::advice(where)));
    };
    const auto path = path_from_utf8(text);
    if (text.empty() || !path.has_filename()) return refuse("it names no file");
    if (text.find('\0') != std::string::npos) return refuse("it holds a zero byte");
    if (const auto problem = files::path_problem(path); !problem.empty()) return refuse("it " + problem);
    // Other machines are not asked where a link leads before the user has agreed.
    if (files::is_on_other_machine(path) && !agreed.contains(path)) return refuse("it is an absolute path", path);
    const auto base = without_links(folder.empty() ? fs::path(".") : folder);
    if (base.empty()) return refuse("its folder cannot be found");
    auto target = without_links(files::join(base, path));
    if (target.empty()) return refuse("a symbolic link on its way leads in a circle or to nothing");
    const auto by_agreement = [&](std::string_view why) {
        return agreed.contains(target) ? target : refuse(why, target);
    };
    if (files::is_absolute(path) || path.has_root_name() || path.has_root_directory())
        return by_agreement("it is an absolute path");
    for (const auto& part : path)
        if (part == "..") return by_agreement("it leaves the folder by \"..\"");
    const auto [rest, other] = std::mismatch(base.begin(), base.end(), target.begin(), target.end());
    if (rest != base.end() || other == target.end())
        return by_agreement("a symbolic link on its way leads out of the folder");
    return target;
}

} // namespace warplight::session
