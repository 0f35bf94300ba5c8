// SPDX-License-Identifier: Apache-2.0
#include "worker/array_view.hpp"

#include "session/pieces.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace warplight::worker {
namespace {

/// A row is read whole, so one that is wider makes no picture.
constexpr std::size_t widest_row = std::size_t{1} << 22;
/// Fewer rows or columns are better seen as a line.
constexpr std::size_t least_side = 4;

SampledPicture shape_of_picture(const Shape& shape) {
    SampledPicture picture;
    std::size_t axes = shape.size();
    if (axes == 3 && (shape[2] == 3 || shape[2] == 4) && shape[0] >= least_side && shape[1] >= least_side) {
        picture.channels = static_cast<int>(shape[2]);
        --axes;
    }
    if (axes < 2 || shape[axes - 2] < least_side || shape[axes - 1] < least_side) return {};
    picture.height = shape[axes - 2];
    picture.width = shape[axes - 1];
    if (picture.width > widest_row) return {};
    return picture;
}

void sample(const NdArray& array, std::size_t size, SampledPicture& picture, const RequestContext& context) {
    const auto up = [](std::size_t a, std::size_t b) { return (a + b - 1) / b; };
    picture.step = up(std::max(picture.width, picture.height), size);
    picture.columns = up(picture.width, picture.step);
    picture.rows = up(picture.height, picture.step);
    const auto channels = static_cast<std::size_t>(picture.channels);
    picture.values.reserve(picture.rows * picture.columns * channels);
    for (std::size_t row = 0; row < picture.rows; ++row) {
        context.check();
        const std::size_t begin = row * picture.step * picture.width * channels;
        session::visit_pieces(array, begin, picture.width * channels, [&](auto values, std::size_t offset) {
            for (std::size_t i = 0; i < values.size(); ++i)
                if ((offset - begin + i) / channels % picture.step == 0)
                    picture.values.push_back(static_cast<float>(session::magnitude(values[i])));
            return true;
        });
    }
}

json packed(const std::vector<float>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return json::binary(std::move(bytes));
}

[[noreturn]] void refuse() { throw RequestError(invalid_parameters, "the view of an array is damaged"); }

double number_of(const json& value) {
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Summary summary_of(const json& object) {
    Summary s;
    s.elements = object.at("elements").get<std::uint64_t>();
    s.nan = object.at("nan").get<std::uint64_t>();
    s.positive_inf = object.at("positive_inf").get<std::uint64_t>();
    s.negative_inf = object.at("negative_inf").get<std::uint64_t>();
    s.zeros = object.at("zeros").get<std::uint64_t>();
    if (s.elements < s.nan || s.elements - s.nan < s.positive_inf ||
        s.elements - s.nan - s.positive_inf < s.negative_inf)
        refuse();
    s.finite = s.elements - s.nan - s.positive_inf - s.negative_inf;
    s.min = number_of(object.at("min"));
    s.max = number_of(object.at("max"));
    s.mean = number_of(object.at("mean"));
    s.std = number_of(object.at("std"));
    const auto& histogram = object.at("histogram");
    s.low = histogram.at("low").get<double>();
    s.high = histogram.at("high").get<double>();
    s.counts = histogram.at("counts").get<std::vector<std::uint64_t>>();
    if (s.counts.size() > most_view_bins) refuse();
    return s;
}

Outline outline_of(const json& object) {
    Outline outline;
    outline.offset = object.at("offset").get<std::size_t>();
    outline.count = object.at("count").get<std::size_t>();
    const auto &min = object.at("min"), &max = object.at("max");
    if (!min.is_array() || !max.is_array() || min.size() != max.size() || min.size() > most_view_size) refuse();
    for (std::size_t i = 0; i < min.size(); ++i) {
        outline.min.push_back(number_of(min[i]));
        outline.max.push_back(number_of(max[i]));
    }
    return outline;
}

SampledPicture picture_of(const json& object) {
    SampledPicture picture;
    picture.width = object.at("width").get<std::size_t>();
    picture.height = object.at("height").get<std::size_t>();
    picture.columns = object.at("columns").get<std::size_t>();
    picture.rows = object.at("rows").get<std::size_t>();
    picture.step = object.at("step").get<std::size_t>();
    picture.channels = object.at("channels").get<int>();
    const auto& bytes = object.at("data").get_binary();
    if (picture.columns == 0 || picture.rows == 0 || picture.columns > most_view_size ||
        picture.rows > most_view_size || picture.step == 0 ||
        (picture.channels != 1 && picture.channels != 3 && picture.channels != 4))
        refuse();
    const std::size_t count = picture.columns * picture.rows * static_cast<std::size_t>(picture.channels);
    if (bytes.size() != count * sizeof(float)) refuse();
    picture.values.resize(count);
    std::memcpy(picture.values.data(), bytes.data(), bytes.size());
    return picture;
}

} // namespace

static_assert(std::endian::native == std::endian::little, "numbers of messages are little-endian");

ArrayView view_of(const NdArray& array, int bins, int size, const RequestContext& context) {
    ArrayView view;
    view.summary = summarise(array, bins, context);
    view.picture = shape_of_picture(array.shape());
    if (view.picture.width > 0)
        sample(array, static_cast<std::size_t>(size), view.picture, context);
    else
        view.outline = decimate(array, 0, array.size(), static_cast<std::size_t>(size), context);
    return view;
}

json to_json(const ArrayView& view) {
    json object = {{"summary", to_json(view.summary)}, {"outline", to_json(view.outline)}};
    const auto& picture = view.picture;
    if (picture.width > 0)
        object["picture"] = {{"width", picture.width},        {"height", picture.height},
                             {"columns", picture.columns},    {"rows", picture.rows},
                             {"step", picture.step},          {"channels", picture.channels},
                             {"data", packed(picture.values)}};
    return object;
}

ArrayView array_view_from_json(const json& object) {
    ArrayView view;
    view.summary = summary_of(object.at("summary"));
    view.outline = outline_of(object.at("outline"));
    if (const auto found = object.find("picture"); found != object.end()) view.picture = picture_of(*found);
    return view;
}

} // namespace warplight::worker
