// SPDX-License-Identifier: Apache-2.0
#include "worker/derived_buffers.hpp"

#include "session/array_views.hpp"
#include "session/field_views.hpp"
#include "session/formula_array.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace warplight::worker {
namespace {

std::shared_ptr<const StoredBuffer> find_buffer(const json& number, const BufferStore& store) {
    if (!number.is_number_integer()) throw RequestError(invalid_parameters, "a buffer must be a number");
    auto buffer = store.find(number.get<std::int64_t>());
    if (!buffer) throw RequestError(invalid_parameters, "there is no buffer " + number.dump());
    return buffer;
}

const json& list_of(const Params& params, const char* name, std::size_t most) {
    const json& list = params.at(name);
    if (!list.is_array() || list.size() > most)
        throw RequestError(invalid_parameters,
                           std::string("parameter ") + name + " must be a list of at most " + std::to_string(most));
    return list;
}

std::size_t size_in(const json& value, const char* name) {
    if (value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0))
        return value.get<std::size_t>();
    throw RequestError(invalid_parameters, std::string("parameter ") + name + " must have whole numbers from 0 up");
}

constexpr std::size_t most_axes = 32, most_arrays = 256;

NdArray slice_of(const Params& params, const NdArray& array) {
    std::vector<session::AxisRange> axes;
    for (const json& each : list_of(params, "axes", most_axes)) {
        if (!each.is_object() || !each.contains("axis"))
            throw RequestError(invalid_parameters, "parameter axes must be a list of {axis, start, count}");
        const std::size_t axis = size_in(each.at("axis"), "axes");
        const std::size_t start = each.contains("start") ? size_in(each.at("start"), "axes") : 0;
        const std::size_t length = axis < array.ndim() ? array.shape()[axis] : 0;
        const std::size_t rest = start < length ? length - start : 0;
        axes.push_back({axis, start, each.contains("count") ? size_in(each.at("count"), "axes") : rest});
    }
    std::vector<std::size_t> index(array.ndim(), 0);
    if (params.has("index")) {
        index.clear();
        for (const json& each : list_of(params, "index", most_axes))
            index.push_back(size_in(each, "index"));
    }
    return session::slice_view(array, axes, index);
}

NdArray field_of(const Params& params, const NdArray& structs) {
    std::vector<std::size_t> index;
    if (params.has("index"))
        for (const json& each : list_of(params, "index", most_axes))
            index.push_back(size_in(each, "index"));
    return session::field_view(structs, params.text("field"), index);
}

session::ComplexPart part_of(const std::string& name) {
    constexpr std::array parts{std::pair{std::string_view("both"), session::ComplexPart::both},
                               std::pair{std::string_view("real"), session::ComplexPart::real},
                               std::pair{std::string_view("imaginary"), session::ComplexPart::imaginary},
                               std::pair{std::string_view("magnitude"), session::ComplexPart::magnitude},
                               std::pair{std::string_view("phase"), session::ComplexPart::phase}};
    for (const auto& [each, part] : parts)
        if (each == name) return part;
    throw RequestError(invalid_parameters,
                       "parameter part must be both, real, imaginary, magnitude or phase, and is \"" + name + "\"");
}

NdArray formula_of(const Params& params, const NdArray& like, const BufferStore& store) {
    session::FormulaInputs inputs;
    const json& names = list_of(params, "names", most_arrays);
    const json& arrays = list_of(params, "arrays", most_arrays);
    if (names.size() != arrays.size())
        throw RequestError(invalid_parameters, "parameters names and arrays must have the same length");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!names[i].is_string()) throw RequestError(invalid_parameters, "parameter names must have texts");
        inputs.arrays.emplace_back(names[i].get<std::string>(), *find_buffer(arrays[i], store)->array);
    }
    if (params.has("scalars")) {
        const json& scalars = params.at("scalars");
        if (!scalars.is_object()) throw RequestError(invalid_parameters, "parameter scalars must be {name: number}");
        for (const auto& [name, value] : scalars.items()) {
            if (!value.is_number()) throw RequestError(invalid_parameters, "parameter scalars must have numbers");
            inputs.scalars.emplace_back(name, value.get<double>());
        }
    }
    return session::formula_array(params.text("expression"), like.shape(), inputs);
}

} // namespace

std::shared_ptr<const StoredBuffer> buffer_of(const Params& params, const char* name, const BufferStore& store) {
    std::int64_t id = params.integer(name, 0, std::numeric_limits<std::int64_t>::max());
    auto buffer = store.find(id);
    if (!buffer) throw RequestError(invalid_parameters, "there is no buffer " + std::to_string(id));
    return buffer;
}

std::int64_t derive_buffer(const Params& params, BufferStore& store) {
    const std::string kind = params.text("kind");
    NdArray array;
    std::string name;
    if (kind == "columns") {
        std::vector<NdArray> columns;
        for (const json& each : list_of(params, "arrays", most_arrays))
            columns.push_back(*find_buffer(each, store)->array);
        array = session::columns_view(columns);
        name = kind;
    } else {
        const auto base = buffer_of(params, "buffer", store);
        name = base->name;
        if (kind == "slice")
            array = slice_of(params, *base->array);
        else if (kind == "complex")
            array = session::complex_view(*base->array, part_of(params.text("part")));
        else if (kind == "field")
            array = field_of(params, *base->array);
        else if (kind == "formula")
            array = formula_of(params, *base->array, store);
        else
            throw RequestError(invalid_parameters,
                               "parameter kind must be slice, complex, field, formula or columns, and is \"" + kind +
                                   "\"");
    }
    return store.add(std::make_shared<NdArray>(std::move(array)), std::move(name), "derived");
}

} // namespace warplight::worker
