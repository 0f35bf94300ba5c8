// SPDX-License-Identifier: Apache-2.0
#include "page/image.hpp"

#include "formats/png.hpp"
#include "page/html.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <string_view>

namespace warplight::page {
namespace {

std::string hexadecimal(const Colour& colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string points_of(const std::vector<Point>& points) {
    std::string text;
    for (const auto& point : points)
        fmt::format_to(std::back_inserter(text), "{}{:.2f},{:.2f}", text.empty() ? "" : " ", point.x, point.y);
    return text;
}

struct Writer {
    std::string& text;

    void operator()(const Box& box) const {
        fmt::format_to(std::back_inserter(text),
                       R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)", box.x, box.y,
                       box.width, box.height, hexadecimal(box.fill));
    }
    void operator()(const Area& area) const {
        fmt::format_to(std::back_inserter(text), R"(<polygon points="{}" fill="{}"/>)", points_of(area.corners),
                       hexadecimal(area.fill));
    }
    void operator()(const Stroke& stroke) const {
        fmt::format_to(std::back_inserter(text),
                       R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="{:g}"{}/>)",
                       points_of(stroke.points), hexadecimal(stroke.colour), stroke.width,
                       stroke.dashed ? R"( stroke-dasharray="4 3")" : "");
    }
    void operator()(const Dot& dot) const {
        fmt::format_to(std::back_inserter(text), R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:g}" fill="{}"/>)",
                       dot.centre.x, dot.centre.y, dot.radius, hexadecimal(dot.fill));
    }
    void operator()(const Label& label) const {
        constexpr std::string_view anchors[] = {"start", "middle", "end"};
        fmt::format_to(std::back_inserter(text), R"(<text x="{:.2f}" y="{:.2f}" text-anchor="{}" fill="{}">{}</text>)",
                       label.at.x, label.at.y, anchors[static_cast<int>(label.anchor)], hexadecimal(label.colour),
                       escaped(label.text));
    }
};

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < there ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= there ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

} // namespace

std::string to_svg(const Drawing& drawing) {
    std::string text =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}" )"
                    R"(font-family="sans-serif" font-size="{2:g}"><rect width="{0:g}" height="{1:g}" fill="#ffffff"/>)",
                    drawing.width, drawing.height, label_size);
    for (const auto& shape : drawing.shapes)
        std::visit(Writer{text}, shape);
    return text + "</svg>";
}

std::string to_png(const Pixels& pixels) {
    constexpr int channels = 3;
    return formats::png_of(std::as_bytes(std::span(pixels.values)), pixels.width, pixels.height, channels);
}

std::string data_uri(const Image& image) {
    if (const auto* drawing = std::get_if<Drawing>(&image))
        return "data:image/svg+xml;base64," + base64(to_svg(*drawing));
    return "data:image/png;base64," + base64(to_png(std::get<Pixels>(image)));
}

} // namespace warplight::page
