// SPDX-License-Identifier: Apache-2.0
#include "worker/buffer_methods.hpp"

#include "files/input_file.hpp"
#include "formats/container.hpp"
#include "formats/sound.hpp"
#include "session/compare.hpp"
#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/field_views.hpp"
#include "session/file_elements.hpp"
#include "session/pieces.hpp"
#include "warplight/error.hpp"
#include "worker/array_view.hpp"
#include "worker/buffer_export.hpp"
#include "worker/derived_buffers.hpp"
#include "worker/summary.hpp"
#include "worker/utf8.hpp"
#include "worker/value_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace warplight::worker {

using session::PieceReader;

namespace {

/// Rows and columns of an array seen as a table.
struct Table {
    std::size_t rows, columns;
    explicit Table(const NdArray& array) {
        columns = array.ndim() >= 2 ? array.shape().back() : 1;
        rows = columns ? array.size() / columns : 0;
    }
};

json binary(std::span<const std::byte> bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return json::binary(std::vector<std::uint8_t>(data, data + bytes.size()));
}

/// Clips [offset, offset + count) to a size without overflow.
std::size_t clipped(std::uint64_t offset, std::uint64_t count, std::size_t size) {
    return offset >= size ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(count, size - offset));
}

std::shared_ptr<const files::InputFile> open_file(const std::filesystem::path& path) {
    try {
        return std::make_shared<files::InputFile>(path);
    } catch (const files::InputError& error) {
        throw FileError(path.string(), error.problem(), error.hint());
    }
}

json open(const Params& params, BufferStore& store) {
    std::filesystem::path path = session::path_from_utf8(params.text("path"));
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    NdArray array;
    int rate = 0;
    if (extension == ".npy" && !params.has("dtype")) {
        array = session::npy_in_file(path);
    } else if (params.has("dtype")) {
        DType dtype = DType::from_name(params.text("dtype"));
        auto file = open_file(path);
        std::uint64_t offset = params.size("offset", 0);
        std::size_t available = static_cast<std::size_t>(file->size());
        if (offset > available) throw RequestError(invalid_parameters, "parameter offset is past the end of the file");
        available -= static_cast<std::size_t>(offset);
        Shape shape;
        if (params.has("shape")) {
            const json& list = params.at("shape");
            if (!list.is_array() || list.size() > 32)
                throw RequestError(invalid_parameters, "parameter shape must be a list of at most 32 lengths");
            for (const json& length : list) {
                if (!length.is_number_unsigned() && !(length.is_number_integer() && length.get<std::int64_t>() >= 0))
                    throw RequestError(invalid_parameters, "parameter shape must be a list of lengths");
                shape.push_back(length.get<std::size_t>());
            }
        } else {
            shape = {available / dtype.itemsize()};
        }
        std::size_t needed = count_elements(shape, dtype.itemsize()) * dtype.itemsize();
        if (needed > available)
            throw RequestError(invalid_parameters, "the file has " + std::to_string(available) +
                                                       " bytes there, the shape needs " + std::to_string(needed));
        array = session::array_in_file(std::move(file), offset, std::move(shape), dtype);
    } else {
        session::FileSource source;
        source.path = params.text("path");
        if (params.has("member")) source.member = params.text("member");
        array = session::read_array(source, session::Reach::everywhere({}));
        rate = session::sound_rate(source, session::Reach::everywhere({}));
    }
    std::int64_t id = store.add(std::make_shared<NdArray>(std::move(array)), path.filename().string(), "file");
    json description = describe_buffer(*store.find(id));
    if (rate) description["rate"] = rate;
    return description;
}

/// The arrays of a container, or that of a sound.
std::vector<formats::Member> members_of(const std::filesystem::path& path) {
    if (!formats::is_sound(session::lower_extension(path))) return formats::members_of(path);
    return {{.name = {}, .head = formats::sound_head(path), .problem = {}}};
}

json members(const Params& params) {
    json list = json::array();
    for (const formats::Member& each : members_of(session::path_from_utf8(params.text("path")))) {
        json member = json::object();
        member["name"] = as_utf8(std::string_view(each.name));
        member["problem"] = as_utf8(std::string_view(each.problem));
        if (each.head) {
            member["dtype"] = each.head->dtype.name();
            member["shape"] = each.head->shape;
        }
        list.push_back(std::move(member));
    }
    return {{"members", std::move(list)}};
}

json read(const Params& params, const BufferStore& store) {
    auto buffer = buffer_of(params, "buffer", store);
    const NdArray& array = *buffer->array;
    std::uint64_t offset = params.size("offset", 0);
    std::uint64_t most = kLargestRead / std::max<std::size_t>(array.itemsize(), 1);
    std::size_t count = clipped(offset, std::min(params.size("count"), most), array.size());
    PieceReader reader(array);
    json data = count ? binary(reader.read(static_cast<std::size_t>(offset), count)) : binary({});
    return {{"data", std::move(data)}, {"offset", offset}, {"count", count}, {"dtype", array.dtype().name()}};
}

json read_bytes(const Params& params, const BufferStore& store) {
    auto buffer = buffer_of(params, "buffer", store);
    const NdArray& array = *buffer->array;
    std::uint64_t offset = params.size("offset", 0);
    std::size_t count = clipped(offset, std::min<std::uint64_t>(params.size("count"), kLargestRead), array.nbytes());
    json data = binary({});
    if (count) {
        std::size_t item = array.itemsize(), begin = static_cast<std::size_t>(offset);
        std::size_t first = begin / item, last = (begin + count - 1) / item;
        PieceReader reader(array);
        data = binary(reader.read(first, last - first + 1).subspan(begin - first * item, count));
    }
    return {{"data", std::move(data)}, {"offset", offset}, {"count", count}};
}

json window(const Params& params, const BufferStore& store) {
    auto buffer = buffer_of(params, "buffer", store);
    const NdArray& array = *buffer->array;
    Table table(array);
    std::uint64_t row = params.size("row", 0), column = params.size("column", 0);
    std::size_t columns = clipped(column, params.size("columns", table.columns), table.columns);
    std::size_t rows = clipped(row, params.size("rows"), table.rows);
    std::size_t item = std::max<std::size_t>(array.itemsize(), 1);
    columns = std::min(columns, kLargestRead / item);
    if (columns) rows = std::min(rows, kLargestRead / item / columns);
    std::vector<std::uint8_t> data;
    data.reserve(rows * columns * item);
    PieceReader reader(array);
    for (std::size_t i = 0; i < rows && columns; ++i) {
        auto bytes = reader.read((static_cast<std::size_t>(row) + i) * table.columns + static_cast<std::size_t>(column),
                                 columns);
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
        data.insert(data.end(), from, from + bytes.size());
    }
    return {
        {"data", json::binary(std::move(data))}, {"row", row}, {"rows", rows}, {"column", column}, {"columns", columns},
        {"dtype", array.dtype().name()}};
}

json compare(const Params& params, const BufferStore& store, const RequestContext& context) {
    auto actual = buffer_of(params, "buffer", store), expected = buffer_of(params, "with", store);
    session::Tolerance tolerance{params.real("rtol", 0), params.real("atol", 0)};
    session::Comparison result =
        session::compare(*actual->array, *expected->array, tolerance, [&] { return context.is_cancelled(); });
    context.check();
    return {{"passed", result.passed},
            {"problem", result.problem},
            {"elements", result.elements},
            {"mismatches", result.mismatches},
            {"first", result.first},
            {"first_field", result.first_field},
            {"first_actual", result.first_actual},
            {"first_expected", result.first_expected},
            {"largest_absolute_error", result.largest_absolute_error},
            {"largest_absolute_at", result.largest_absolute_at},
            {"largest_relative_error", result.largest_relative_error},
            {"largest_relative_at", result.largest_relative_at},
            {"rtol", tolerance.rtol},
            {"atol", tolerance.atol}};
}

json save(const Params& params, const BufferStore& store, const RequestContext& context) {
    auto buffer = buffer_of(params, "buffer", store);
    std::filesystem::path path = session::path_from_utf8(params.text("path"));
    context.check();
    formats::FileDetails details;
    if (params.has("headings")) details.headings = params.texts("headings");
    details.rate = static_cast<int>(params.integer("rate", 0, formats::most_sound_rate, 0));
    // A file's name has an ending, and a slash would make a group of an HDF5 file.
    std::string name = buffer->name.substr(0, buffer->name.rfind('.'));
    std::ranges::replace(name, '/', '_');
    write_buffer(*buffer->array, name.empty() ? "array" : name, path, details, context);
    return {{"path", path.string()}, {"bytes", buffer->array->nbytes()}};
}

/// `PREFIXlow` and `PREFIXhigh`, both or none.
std::optional<ValueRange> range_of(const Params& params, const std::string& prefix) {
    const std::string low = prefix + "low", high = prefix + "high";
    if (!params.has(low.c_str()) && !params.has(high.c_str())) return std::nullopt;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const ValueRange range{params.real(low.c_str(), none), params.real(high.c_str(), none)};
    if (std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high) return range;
    throw RequestError(invalid_parameters, "parameters " + low + " and " + high + " must be numbers, the lower first");
}

json histogram(const Params& params, const BufferStore& store, const RequestContext& context) {
    auto buffer = buffer_of(params, "buffer", store);
    const auto bins = static_cast<std::size_t>(params.integer("bins", 1, 65536, 64));
    std::optional<ValueRange> range = range_of(params, "");
    const double from = params.real("low_percent", 0), to = params.real("high_percent", 100);
    if (!(from >= 0 && from <= to && to <= 100))
        throw RequestError(invalid_parameters, "parameters low_percent and high_percent must be from 0 to 100");
    if (!range && (from > 0 || to < 100)) {
        const std::vector<double> ends = percentiles(*buffer->array, {from, to}, context);
        if (!ends.empty()) range = ValueRange{ends[0], ends[1]};
    }
    return to_json(count_values(*buffer->array, bins, range, context));
}

/// None of a description that cannot be read: such elements are bytes.
std::vector<session::FieldPlace> readable_fields(const DType& dtype) {
    try {
        return session::field_places(dtype);
    } catch (const LogicError&) {
        return {};
    }
}

json describe_fields(const DType& dtype) {
    json fields = json::array();
    for (const session::FieldPlace& field : readable_fields(dtype))
        fields.push_back({{"name", field.name},
                          {"dtype", field.dtype.name()},
                          {"itemsize", field.dtype.itemsize()},
                          {"shape", field.shape},
                          {"offset", field.offset},
                          {"strides", field.strides},
                          {"big_endian", field.big_endian}});
    return fields;
}

json scatter(const Params& params, const BufferStore& store, const RequestContext& context) {
    auto x = buffer_of(params, "buffer", store), y = buffer_of(params, "with", store);
    return to_json(count_pairs(*x->array, *y->array, static_cast<std::size_t>(params.integer("columns", 1, 2048)),
                               static_cast<std::size_t>(params.integer("rows", 1, 2048)), range_of(params, "x_"),
                               range_of(params, "y_"), static_cast<std::size_t>(params.integer("points", 0, 65536, 0)),
                               context));
}

} // namespace

bool is_scan(std::string_view method) {
    return method == "buffer.summary" || method == "buffer.plot" || method == "buffer.compare" ||
           method == "buffer.save" || method == "buffer.view" || method == "buffer.histogram" ||
           method == "buffer.scatter" || method == "buffer.members";
}

json describe_buffer(const StoredBuffer& buffer) {
    const NdArray& array = *buffer.array;
    Table table(array);
    return {{"fields", describe_fields(array.dtype())},
            {"buffer", buffer.id},
            {"name", buffer.name},
            {"origin", buffer.origin},
            {"dtype", array.dtype().name()},
            {"shape", array.shape()},
            {"strides", array.strides()},
            {"elements", array.size()},
            {"bytes", array.nbytes()},
            {"itemsize", array.itemsize()},
            {"rows", table.rows},
            {"columns", table.columns},
            {"order", array.is_c_contiguous()   ? "C"
                      : array.is_f_contiguous() ? "F"
                                                : "strided"}};
}

json call_buffer_method(std::string_view method, const json& parameters, BufferStore& store,
                        const RequestContext& context) {
    Params params(parameters);
    context.check();
    if (method == "buffer.open") return open(params, store);
    if (method == "buffer.members") return members(params);
    if (method == "buffer.read") return read(params, store);
    if (method == "buffer.bytes") return read_bytes(params, store);
    if (method == "buffer.window") return window(params, store);
    if (method == "buffer.info") return describe_buffer(*buffer_of(params, "buffer", store));
    if (method == "buffer.compare") return compare(params, store, context);
    if (method == "buffer.save") return save(params, store, context);
    if (method == "buffer.histogram") return histogram(params, store, context);
    if (method == "buffer.scatter") return scatter(params, store, context);
    if (method == "buffer.derive") return describe_buffer(*store.find(derive_buffer(params, store)));
    if (method == "buffer.list") {
        json list = json::array();
        for (const auto& buffer : store.list())
            list.push_back(describe_buffer(*buffer));
        return {{"buffers", std::move(list)}};
    }
    if (method == "buffer.close") {
        auto buffer = buffer_of(params, "buffer", store);
        store.close(buffer->id);
        return json::object();
    }
    if (method == "buffer.summary") {
        auto buffer = buffer_of(params, "buffer", store);
        return to_json(summarise(*buffer->array, static_cast<int>(params.integer("bins", 1, 4096, 64)), context));
    }
    if (method == "buffer.plot") {
        auto buffer = buffer_of(params, "buffer", store);
        std::uint64_t offset = params.size("offset", 0);
        std::size_t size = buffer->array->size();
        std::size_t count = clipped(offset, params.size("count", size), size);
        auto points = static_cast<std::size_t>(params.integer("points", 1, 65536));
        return to_json(decimate(*buffer->array, count ? static_cast<std::size_t>(offset) : 0, count, points, context));
    }
    if (method == "buffer.view") {
        auto buffer = buffer_of(params, "buffer", store);
        return to_json(view_of(*buffer->array, static_cast<int>(params.integer("bins", 1, most_view_bins, 48)),
                               static_cast<int>(params.integer("size", 1, most_view_size, 512)), context));
    }
    throw RequestError(unknown_method, "there is no method " + std::string(method));
}

} // namespace warplight::worker
