// SPDX-License-Identifier: Apache-2.0
#include "session/formula_parser.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/field_views.hpp"
#include "session/formula_reader.hpp"
#include "session/formula_text.hpp"
#include "session/pieces.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

namespace warplight::session {
namespace {

/// Parts of an array that does not lie in memory in C order. A formula reads places near each other, and those of
/// several rows.
class Parts {
public:
    explicit Parts(const NdArray& array) : reader_(array), size_(array.size()), item_(array.itemsize()) {}
    const std::byte* at(std::size_t i) {
        const std::size_t number = i / length;
        Part& part = parts_[number % parts_.size()];
        if (part.number != number) {
            const auto bytes = reader_.read(number * length, std::min(length, size_ - number * length));
            part.bytes.assign(bytes.begin(), bytes.end());
            part.number = number;
        }
        return part.bytes.data() + i % length * item_;
    }

private:
    static constexpr std::size_t length = 4096; // elements
    struct Part {
        std::size_t number = std::numeric_limits<std::size_t>::max();
        std::vector<std::byte> bytes;
    };
    PieceReader reader_;
    std::size_t size_, item_;
    std::array<Part, 16> parts_;
};

/// The elements of an array, or of a member of it, as numbers.
struct Elements {
    std::string name;
    std::string of, path;   ///< of a member "p.pos.x": p and pos.x
    bool is_used = false;   ///< the formula names it
    bool is_single = false; ///< of a scalar: the same at each place
    NdArray array;
    std::span<const std::byte> bytes;
    std::unique_ptr<Parts> parts; ///< null for an array in memory in C order
    std::size_t itemsize = 1;
    double (*read)(const std::byte*) = nullptr;
    double* current = nullptr; ///< the variable of this name
    const std::size_t* element = nullptr;

    [[nodiscard]] double at(std::size_t i) const { return read(parts ? parts->at(i) : bytes.data() + i * itemsize); }
};

[[noreturn]] void refuse_index(const Elements& of, const double* index, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += fmt::format("{}{:g}", i ? ", " : "", index[i]);
    throw SessionError(
        fmt::format("Where the formula makes element {}, it asks for {}[{}], but {} has the shape {} and indices from "
                    "0 on. A condition avoids that: i > 0 ? x[i - 1] : 0.",
                    *of.element, of.name, text, of.name, warplight::to_string(of.array.shape())),
        "/expression");
}

/// `x[i - 1]` and `x[i0, i1 - 1]`. A fraction is rounded down, as C++ divides.
double element_at(void* data, const double* index, int count) {
    const auto& of = *static_cast<const Elements*>(data);
    const auto& shape = of.array.shape();
    const bool flat = count == 1;
    if (!flat && static_cast<std::size_t>(count) != shape.size())
        throw SessionError(fmt::format("The formula gives {} {} indices, but its shape is {}.", of.name, count,
                                       warplight::to_string(shape)),
                           "/expression");
    std::size_t place = 0;
    for (int i = 0; i < count; ++i) {
        const std::size_t length = flat ? of.array.size() : shape[static_cast<std::size_t>(i)];
        const double whole = std::floor(index[i]);
        if (!(whole >= 0 && whole < static_cast<double>(length))) refuse_index(of, index, count);
        place = place * length + static_cast<std::size_t>(whole);
    }
    return of.at(place);
}

} // namespace

struct FormulaParser::State {
    std::string expression;
    FormulaReader reader;
    std::map<std::string, double, std::less<>> variables; ///< whose places muParser knows
    std::deque<Elements> arrays;
    std::vector<Elements*> read; ///< at the place of the element
    std::vector<double*> indices;
    std::array<double*, 4> places{}; ///< i, x, y, z; null where arguments have these names
    std::vector<std::size_t> shape, index;
    std::size_t element = 0;

    double* variable(const std::string& name) {
        const auto [found, is_new] = variables.try_emplace(name, std::numeric_limits<double>::quiet_NaN());
        if (is_new) reader.DefineVar(name, &found->second);
        return &found->second;
    }
    /// Where an argument has that name, or its part before the first dot, and what kind it is.
    void add_array(const std::string& name, bool is_single);
    void show_place();
};

void FormulaParser::State::add_array(const std::string& name, bool is_single) {
    const FormulaName parts{name};
    Elements& elements = arrays.emplace_back();
    elements.name = name;
    elements.of = parts.base();
    elements.path = parts.path();
    elements.is_single = is_single;
    elements.current = variable(name);
    elements.element = &element;
    reader.DefineFunUserData(name, element_at, &elements, false);
}

FormulaParser::FormulaParser(const std::string& expression, std::size_t axes, const FormulaNames& arguments)
    : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.expression = expression;
    const std::string text = parser_text(expression);
    const auto is_name = [](const std::string& name) {
        const auto all = names_of_formula(name);
        return all.size() == 1 && all.front().text.size() == name.size();
    };
    for (const std::string& name : arguments.scalars)
        if (is_name(name)) state.variable(name);
    for (const std::string& name : arguments.arrays)
        if (is_name(name)) state.add_array(name, false);
    // Which members there are is known once the arguments have values.
    for (const FormulaName& name : names_of_formula(expression)) {
        const std::string word(name.text), base(name.base());
        if (name.path().empty() || state.variables.contains(word)) continue;
        const auto is_one_of = [&](const std::vector<std::string>& all) {
            return std::ranges::find(all, base) != all.end();
        };
        if (is_one_of(arguments.arrays))
            state.add_array(word, false);
        else if (is_one_of(arguments.compounds))
            state.add_array(word, true);
    }
    const auto own = [&](const std::string& name) {
        return state.variables.contains(name) ? nullptr : state.variable(name);
    };
    constexpr const char* places[] = {"i", "x", "y", "z"};
    for (std::size_t i = 0; i < state.places.size(); ++i)
        state.places[i] = own(places[i]);
    own("n");
    for (std::size_t axis = 0; axis < axes; ++axis) {
        state.indices.push_back(own(fmt::format("i{}", axis)));
        own(fmt::format("n{}", axis));
    }
    const auto constant = [&](const char* name, double value) {
        if (double* to = own(name)) *to = value;
    };
    constant("pi", std::numbers::pi);
    constant("inf", std::numeric_limits<double>::infinity());
    constant("nan", std::numeric_limits<double>::quiet_NaN());

    for (const FormulaName& name : names_of_formula(expression)) {
        const std::string word(name.text);
        const bool known = state.variables.contains(word) || state.reader.GetFunDef().contains(word);
        if (!known && std::ranges::find(arguments.compounds, word) != arguments.compounds.end())
            refuse_formula(expression, name.place,
                           fmt::format("lacks the member of \"{}\", which has several numbers: {}.x", word, word));
        if (!known && !name.path().empty() && state.variables.contains(std::string(name.base())))
            refuse_formula(expression, name.place,
                           fmt::format("asks for a member of \"{}\", which is one number", name.base()));
        if (!known)
            refuse_formula(expression, name.place,
                           fmt::format("has the name \"{}\", which is no argument and means nothing else here", word));
        if (name.indexed && !state.reader.GetFunDef().contains(word))
            refuse_formula(expression, name.place, fmt::format("uses \"{}\" as a function or an array", word));
        if (!name.indexed && !state.variables.contains(word))
            refuse_formula(expression, name.place, fmt::format("lacks the brackets behind \"{}\"", word));
        for (Elements& each : state.arrays) {
            if (each.name != word) continue;
            each.is_used = true;
            if (!name.indexed && std::ranges::find(state.read, &each) == state.read.end()) state.read.push_back(&each);
        }
    }
    try {
        state.reader.SetExpr(text);
        (void)state.reader.GetUsedVar(); // reads it, and evaluates nothing
    } catch (const mu::ParserError& error) {
        refuse_formula(expression, error);
    }
    if (state.reader.GetNumResults() > 1) refuse_formula(expression, 0, "has several values, with commas between them");
}

FormulaParser::~FormulaParser() = default;

void FormulaParser::bind(const FormulaInputs& inputs, std::span<const std::size_t> shape) {
    State& state = *state_;
    state.shape.assign(shape.begin(), shape.end());
    state.index.assign(shape.size(), 0);
    std::size_t count = 1;
    for (const std::size_t length : shape)
        count *= length;
    const auto is_argument = [&](const std::string& name) {
        return std::ranges::any_of(inputs.scalars, [&](const auto& each) { return each.first == name; }) ||
               std::ranges::any_of(inputs.arrays, [&](const auto& each) { return each.first == name; });
    };
    const auto set = [&](const std::string& name, std::size_t value) {
        if (!is_argument(name)) *state.variable(name) = static_cast<double>(value);
    };
    set("n", count);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        set(fmt::format("n{}", axis), shape[axis]);
    for (const auto& [name, value] : inputs.scalars)
        if (const auto found = state.variables.find(name); found != state.variables.end()) found->second = value;
    const auto array_of_name = [&](const Elements& each) -> std::optional<NdArray> {
        const auto find = [](const auto& all, const std::string& name) {
            const auto found = std::ranges::find_if(all, [&](const auto& of) { return of.first == name; });
            return found == all.end() ? nullptr : &found->second;
        };
        if (const NdArray* whole = find(inputs.arrays, each.name)) return *whole;
        const NdArray* of = find(each.is_single ? inputs.compounds : inputs.arrays, each.of);
        if (!of) return std::nullopt;
        try {
            return member_view(*of, each.path);
        } catch (const SessionError& error) {
            throw SessionError(fmt::format("The formula names {}, but {} has no member {}: {}.", each.name, each.of,
                                           each.path, error.what()),
                               "/expression");
        }
    };
    for (Elements& each : state.arrays) {
        if (!each.is_used) continue;
        const std::optional<NdArray> found = array_of_name(each);
        if (!found)
            throw SessionError(fmt::format("The formula names {}, which has no value here.", each.name), "/expression");
        each.array = *found;
        if (each.array.is_c_contiguous() && !LazyElements::of(each.array))
            each.bytes = each.array.bytes();
        else
            each.parts = std::make_unique<Parts>(each.array);
        each.itemsize = each.array.itemsize();
        const bool is_bool = each.array.dtype() == DType::boolean();
        const bool known = visit_dtype(is_bool ? DType::uint8() : each.array.dtype(), [&]<class Tag>(Tag) {
            using T = typename Tag::type;
            each.read = [](const std::byte* from) {
                T value;
                std::memcpy(&value, from, sizeof value);
                return to_double(value);
            };
        });
        if (known) continue;
        const std::vector<std::string> fields = field_paths(each.array.dtype());
        throw SessionError(
            fields.empty()
                ? fmt::format("The formula names {}, which holds {}: it can read numbers only.", each.name,
                              each.array.dtype().name())
                : fmt::format("The formula names {}, which holds structs. Name one of their fields, such as {}.{}.",
                              each.name, each.name, fields.front()),
            "/expression");
    }
    std::erase_if(state.read, [](const Elements* each) {
        if (!each->is_single || each->array.size() != 1) return false;
        *each->current = each->at(0); // for all places
        return true;
    });
    for (const Elements* each : state.read)
        if (each->array.size() != count)
            throw SessionError(
                fmt::format("The formula takes the element of {} at each place, but {} has {} elements, and the array "
                            "of the formula has {}. Say which element: {}[…].",
                            each->name, each->name, each->array.size(), count, each->name),
                "/expression");
}

void FormulaParser::State::show_place() {
    if (places[0]) *places[0] = static_cast<double>(element);
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        if (indices[axis]) *indices[axis] = static_cast<double>(index[axis]);
    // As in a kernel, x counts along the last axis.
    for (std::size_t i = 1; i < places.size(); ++i)
        if (places[i]) *places[i] = i <= index.size() ? static_cast<double>(index[index.size() - i]) : 0;
    for (const Elements* each : read)
        *each->current = each->at(element);
}

void FormulaParser::start(std::size_t element) {
    State& state = *state_;
    state.element = element;
    for (std::size_t axis = state.shape.size(); axis-- > 0;) {
        const std::size_t length = std::max<std::size_t>(1, state.shape[axis]);
        state.index[axis] = element % length;
        element /= length;
    }
}

double FormulaParser::next() {
    State& state = *state_;
    state.show_place();
    double value = 0;
    try {
        value = state.reader.Eval();
    } catch (const mu::ParserError& error) {
        refuse_formula(state.expression, error);
    }
    ++state.element;
    for (std::size_t axis = state.shape.size(); axis-- > 0;) {
        if (++state.index[axis] < state.shape[axis]) break;
        state.index[axis] = 0;
    }
    return value;
}

} // namespace warplight::session
