// SPDX-License-Identifier: Apache-2.0
/// Drawings and pictures of a page, apart from the format that they end up in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace warplight::page {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;

    bool operator==(const Colour&) const = default;
};

struct Point {
    double x = 0, y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    Colour fill;
};
struct Area {
    std::vector<Point> corners;
    Colour fill;
};
struct Stroke {
    std::vector<Point> points;
    Colour colour;
    double width = 1;
    bool dashed = false;
};
struct Dot {
    Point centre;
    double radius = 2;
    Colour fill;
};
struct Label {
    enum class Anchor { start, middle, end };
    Point at; ///< of the base line
    std::string text;
    Anchor anchor = Anchor::start;
    Colour colour;
};
/// Of labels, in the drawing's units.
inline constexpr double label_size = 11;

using Shape = std::variant<Box, Area, Stroke, Dot, Label>;

/// Shapes on white, the last one on top. y goes down.
struct Drawing {
    double width = 0, height = 0;
    std::vector<Shape> shapes;
};

/// Red, green, blue; row after row.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> values;
};

std::string to_svg(const Drawing& drawing);
/// @throws std::bad_alloc
std::string to_png(const Pixels& pixels);

using Image = std::variant<Drawing, Pixels>;
/// The whole image as the address of an `<img>`.
std::string data_uri(const Image& image);

} // namespace warplight::page
