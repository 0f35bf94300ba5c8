// SPDX-License-Identifier: Apache-2.0
#include "session/data_source.hpp"

#include "files/input_file.hpp"
#include "files/paths.hpp"
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

bool is_raw(const fs::path& file) {
    const auto extension = lower_extension(file);
    return extension != ".npy" && extension != ".csv" && extension != ".tsv" && !is_image(file);
}

NdArray read_npy(const fs::path& file) {
    check_file_fits(file, read_npy_header(file).nbytes);
    return load_npy(file);
}

NdArray read_any(const FileSource& source, const fs::path& file) {
    const auto extension = lower_extension(file);
    if (is_raw(file)) return read_raw(source, file);
    NdArray array;
    if (extension == ".npy")
        array = read_npy(file);
    else if (is_image(file))
        array = read_image(file);
    else
        array = read_csv(file, DType::from_name(source.dtype.empty() ? "float64" : source.dtype));
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
                if (lower_extension(file) == ".npy")
                    description.shape = checked_shape(each, file, read_npy_header(file).shape);
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
            if (is_raw(file)) {
                const auto layout = raw_layout(*source_file, file, files::InputFile(file).size());
                set(layout.dtype, layout.shape);
            } else if (lower_extension(file) == ".npy") {
                const auto header = read_npy_header(file);
                set(converted(header.dtype), checked_shape(*source_file, file, header.shape));
            } else if (is_image(file)) {
                set(converted(DType::uint8()), checked_shape(*source_file, file, image_shape(file)));
            } else {
                const auto array = read_any(*source_file, file);
                set(array.dtype(), array.shape());
            }
        }
        description.elements = warplight::count_elements(description.shape, itemsize);
        description.bytes = description.elements * itemsize;
        return 0;
    });
    return description;
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
