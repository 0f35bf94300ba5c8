// SPDX-License-Identifier: Apache-2.0
// Gives structs among the arguments the layout of the kernel's types, once the source is compiled.
#include "session/stages.hpp"

#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/generators.hpp"
#include "session/pipeline_plan.hpp"
#include "session/reach.hpp"
#include "session/struct_array.hpp"
#include "session/struct_value.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <utility>

namespace warplight::session {
namespace {

using debug::Layout;

std::string_view dtype_of_source(const ArgumentData& data) {
    return std::visit([](const auto& source) -> std::string_view { return source.dtype; }, data.argument->source);
}

bool is_struct_array(const ArgumentData& data) {
    if (!data.is_array()) return false;
    return dtype_of_source(data) == struct_type || data.input.dtype().descr().starts_with('[');
}

/// The parameter that an argument is given to; of a pipeline, by the first launch that takes it.
struct ParameterPlace {
    const CompiledKernel* kernel = nullptr;
    std::size_t index = 0;
};

using PlaceOfName = std::map<std::string, ParameterPlace, std::less<>>;

void add_places(const std::vector<PipelineStep>& steps, const std::vector<KernelName>& names,
                const CompiledSource& compiled, PlaceOfName& places) {
    for (const PipelineStep& step : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) add_places(loop->steps, names, compiled, places);
        const auto* launch = std::get_if<LaunchStep>(&step.what);
        if (!launch) continue;
        const auto code =
            static_cast<std::size_t>(std::ranges::find(names, launch->kernel, &KernelName::name) - names.begin());
        if (code >= compiled.kernels.size()) continue;
        for (std::size_t i = 0; i < launch->arguments.size(); ++i)
            if (const std::string& name = launch->arguments[i].name; !name.empty())
                places.try_emplace(name, ParameterPlace{&compiled.kernels[code], i});
    }
}

/// For each argument. Variables have none, nor what no launch takes.
std::vector<ParameterPlace> places_of(const Session& session, const CompiledSource& compiled,
                                      const std::vector<ArgumentData>& all) {
    std::vector<ParameterPlace> places(all.size());
    PlaceOfName named;
    if (session.pipeline) add_places(session.pipeline->steps, kernels_of(session), compiled, named);
    std::size_t index = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].argument->variable) continue;
        if (!session.pipeline) {
            if (!compiled.kernels.empty()) places[i] = {&compiled.kernels.front(), index++};
        } else if (const auto found = named.find(all[i].argument->name); found != named.end()) {
            places[i] = found->second;
        }
    }
    return places;
}

/// An argument, and what the kernel or the module calls its place.
class Resolver {
public:
    Resolver(const Session& session, const CompiledSource& compiled, const RunHooks& hooks,
             std::vector<ArgumentData>& all)
        : compiled_(compiled), hooks_(hooks), all_(all), places_(places_of(session, compiled, all)) {}

    void resolve() {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            ArgumentData& data = all_[i];
            const ParameterPlace& parameter = places_[i];
            guarded(data, [&] {
                if (data.is_struct())
                    resolve_value(data, parameter);
                else if (data.is_enumerator())
                    resolve_enumerator(data, parameter);
                else if (is_struct_array(data))
                    resolve_array(data, parameter);
            });
        }
        fill_waiting(hooks_, all_, [this](ArgumentData& data) { guarded(data, [&] { fill_fields(data); }); });
    }

private:
    /// Without its scopes: "fast" of "Mode::fast".
    static std::string_view plain_name_of(std::string_view name) {
        const auto scope = name.rfind("::");
        return scope == std::string_view::npos ? name : name.substr(scope + 2);
    }

    /// Errors of the argument tell its place.
    template <class Step>
    static void guarded(const ArgumentData& data, const Step& step) {
        try {
            step();
        } catch (const SessionError& error) {
            const std::string place = data.is_array() ? "/source" : "/value";
            input_error_at(SessionError(fmt::format("{}: {}", data.label, error.what())),
                           data.pointer + place + error.pointer);
        } catch (const Error& error) {
            input_error(fmt::format("{}: {}.", data.label, error.info().text), data.pointer + "/source");
        }
    }

    static const compiler::Parameter* signature_of(const ParameterPlace& place) {
        if (!place.kernel || place.index >= place.kernel->kernel.parameters.size()) return nullptr;
        return &place.kernel->kernel.parameters[place.index];
    }

    const StructLayouts& layouts() {
        if (!layouts_) layouts_ = compiled_.layouts ? compiled_.layouts() : StructLayouts{};
        return *layouts_;
    }

    /// Of the parameter or variable; null where it is not known.
    const Layout* find(const ArgumentData& data, const ParameterPlace& place) {
        const StructLayouts& known = layouts();
        const Layout* layout = nullptr;
        if (data.argument->variable)
            layout = known.of_variable(data.lowered);
        else if (place.kernel)
            layout = known.of_parameter(place.kernel->lowered, place.kernel->kernel, place.index);
        return layout && layout->size != 0 ? layout : nullptr;
    }

    [[noreturn]] void refuse_unknown(const ArgumentData& data, const std::string& remedy) {
        const std::string why =
            layouts().problem.empty() ? "the compiler does not tell the fields of this type" : layouts().problem;
        input_error(fmt::format("{} is a struct, but its layout is not known: {}. {}", data.label, why, remedy),
                    data.pointer + (data.is_array() ? "/source" : "/value"));
    }

    void resolve_value(ArgumentData& data, const ParameterPlace& place) {
        const compiler::Parameter* parameter = signature_of(place);
        if (parameter && parameter->pointer) return; // another check refuses it
        const auto& value = std::get<StructValue>(data.argument->value);
        const auto bytes = bytes_of_value(value);
        data.alignment = parameter ? parameter->alignment : 1;
        if (bytes) {
            const std::size_t size = parameter ? parameter->size : 0;
            if (size != 0 && size != bytes->size())
                throw SessionError(fmt::format("The kernel's parameter \"{}\" has {} bytes, but the value has {}.",
                                               parameter->name, size, bytes->size()));
            data.scalar = *bytes;
            return;
        }
        const Layout* layout = find(data, place);
        if (!layout) refuse_unknown(data, "Give the value as its bytes, such as \"0x0000803f\".");
        if (!layout->has_fields())
            throw SessionError(fmt::format("The kernel's type is {}, and no struct. Use its own type, such as {}.",
                                           layout->type, layout->number.empty() ? "f32" : layout->number));
        data.scalar = pack_struct(*layout, value);
        data.layout = *layout;
    }

    void resolve_enumerator(ArgumentData& data, const ParameterPlace& place) {
        const compiler::Parameter* parameter = signature_of(place);
        if (parameter && parameter->pointer) return; // another check refuses it
        const std::string& name = std::get<Enumerator>(data.argument->value).name;
        const Layout* layout = find(data, place);
        if (!layout)
            throw SessionError(fmt::format("The number of {} is not known: {}. Give the number itself.", name,
                                           layouts().problem.empty() ? "the compiler does not tell the parameter's type"
                                                                     : layouts().problem));
        if (layout->enumerators.empty())
            throw SessionError(
                fmt::format("{} is a name, but the kernel's type is {}, and no enumeration.", name, layout->type));
        if (layout->size != data.scalar.size())
            throw SessionError(fmt::format("The enumeration {} has {} bytes. Use type {}.", layout->type, layout->size,
                                           layout->number));
        const auto found = std::ranges::find(layout->enumerators, plain_name_of(name), &Layout::Enumerator::name);
        if (found == layout->enumerators.end()) {
            std::vector<std::string_view> names;
            names.reserve(layout->enumerators.size());
            for (const auto& each : layout->enumerators)
                names.emplace_back(each.name);
            throw SessionError(fmt::format("{} has no {}. Use one of {}.", layout->type, name, fmt::join(names, ", ")));
        }
        std::memcpy(data.scalar.data(), &found->value, data.scalar.size());
    }

    void resolve_array(ArgumentData& data, const ParameterPlace& place) {
        const compiler::Parameter* parameter = signature_of(place);
        const bool is_asked = dtype_of_source(data) == struct_type;
        // Structured data for numbers, such as those of float4, are judged with the other types.
        if (parameter && (!parameter->pointer || !parameter->dtype.empty())) {
            if (is_asked && parameter->pointer)
                throw SessionError(fmt::format("The kernel's parameter \"{}\" is {}, and no array of structs. Use the "
                                               "dtype {}.",
                                               parameter->name, parameter->type, parameter->dtype));
            return;
        }
        const Layout* found = find(data, place);
        const Layout* target = found && found->kind == Layout::Kind::pointer && !data.argument->variable
                                   ? (found->fields.empty() ? nullptr : &found->fields.front())
                                   : found;
        if (!target || target->size == 0) {
            if (!is_asked) return; // the bytes as they are
            refuse_unknown(data, "Give the data as bytes, of dtype uint8.");
        }
        Layout element = *target;
        const bool is_zeros = std::holds_alternative<ZerosSource>(data.argument->source);
        if (is_zeros && element.kind == Layout::Kind::number) { // zeros of the kernel's own type, whatever that is
            data.input = NdArray::zeros(with_axes(data.input.shape(), element), dtype_of_number(element));
            return;
        }
        if (!element.has_fields()) {
            if (!is_asked && element.kind == Layout::Kind::bytes) return;
            throw SessionError(fmt::format("The kernel's type is {}, and no struct.", element.type));
        }
        element.name.clear();
        element.offset = 0;
        element.extents.clear(); // of a variable; the data have their own shape
        make_contents(data, element);
        if (data.expected && data.expected->dtype().descr().starts_with('[')) {
            try {
                data.expected = in_layout(element, *data.expected);
            } catch (const SessionError& error) {
                input_error_at(SessionError(fmt::format("{}, the expected result: {}", data.label, error.what())),
                               data.pointer + "/expect");
            }
        }
        data.layout = std::move(element);
    }

    static DType dtype_of_number(Layout element) {
        element.extents.clear();
        return dtype_of(element);
    }
    /// float3 has an axis of its own.
    static warplight::Shape with_axes(warplight::Shape shape, const Layout& element) {
        for (const std::uint64_t extent : element.extents)
            shape.push_back(static_cast<std::size_t>(extent));
        return shape;
    }

    void make_contents(ArgumentData& data, const Layout& element) {
        const DType dtype = dtype_of(element);
        if (const auto* fields = std::get_if<FieldsSource>(&data.argument->source)) {
            check_fits_memory(fields->shape, dtype.itemsize());
            data.input = NdArray::zeros(fields->shape, dtype); // its formulas may name other structs
        } else if (const auto* zeros = std::get_if<ZerosSource>(&data.argument->source)) {
            check_fits_memory(zeros->shape, dtype.itemsize());
            data.input = NdArray::zeros(zeros->shape, dtype);
        } else if (dtype_of_source(data) == struct_type && data.input.dtype() == DType::uint8()) {
            data.input = raw_structs(data, dtype, element);
        } else {
            data.input = in_layout(element, data.input);
        }
    }

    /// The bytes of a raw file.
    static NdArray raw_structs(const ArgumentData& data, const DType& dtype, const Layout& element) {
        const NdArray& bytes = data.input;
        const auto& file = std::get<FileSource>(data.argument->source);
        if (!file.shape && bytes.size() % dtype.itemsize() != 0)
            throw SessionError(fmt::format("The file has {} bytes after the offset, which is no whole number of {} ({} "
                                           "bytes each). Correct the offset, or give the shape.",
                                           bytes.size(), element.type, dtype.itemsize()));
        const Shape shape = file.shape ? *file.shape : Shape{bytes.size() / dtype.itemsize()};
        const std::size_t needed = count_elements(shape, dtype.itemsize()) * dtype.itemsize();
        if (needed > bytes.size())
            throw SessionError(fmt::format("The file is too short: {} of shape {} needs {} bytes, but there are {}.",
                                           element.type, warplight::to_string(shape), needed, bytes.size()),
                               "/shape");
        NdArray structs = NdArray::empty(shape, dtype);
        if (needed) std::memcpy(structs.mutable_data(), bytes.data(), needed);
        return structs;
    }

    void fill_fields(ArgumentData& data) {
        for (const auto& each : std::get<FieldsSource>(data.argument->source).fields)
            fill_field(data, *data.layout, each);
    }

    void fill_field(ArgumentData& data, const Layout& element, const FieldsSource::Field& field) {
        const std::string pointer = fmt::format("/fields/{}", field.path);
        NdArray view;
        try {
            view = view_of_field(element, data.input, field.path);
        } catch (const SessionError& error) {
            throw SessionError(error.what(), pointer);
        }
        const bool is_bool = view.dtype() == DType::boolean();
        NdArray numbers = NdArray::empty(view.shape(), is_bool ? DType::uint8() : view.dtype());
        fill_by_arguments(numbers, field.expression, all_, data, hooks_, "/source" + pointer);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            auto* to = const_cast<std::byte*>(view.element(k)); // NOLINT: the array is this argument's own
            std::memcpy(to, numbers.element(k), numbers.itemsize());
            if (is_bool && *to != std::byte{0}) *to = std::byte{1};
        }
    }

    const CompiledSource& compiled_;
    const RunHooks& hooks_;
    std::vector<ArgumentData>& all_;
    const std::vector<ParameterPlace> places_;
    std::optional<StructLayouts> layouts_;
};

bool may_be_struct(const Argument& argument, const Reach& reach) {
    if (argument.direction == Direction::scalar) {
        return std::holds_alternative<StructValue>(argument.value) ||
               std::holds_alternative<Enumerator>(argument.value);
    }
    if (std::visit([](const auto& source) { return source.dtype == struct_type; }, argument.source)) return true;
    const auto* file = std::get_if<FileSource>(&argument.source);
    if (!file || !file->dtype.empty() || !has_structs(path_from_utf8(file->path))) return false;
    try {
        return head_of_numpy(reach.for_reading(reach.place(file->path)), file->member).dtype.descr().starts_with('[');
    } catch (const std::exception&) {
        return false; // the run tells what is wrong with the file
    }
}

} // namespace

bool may_have_structs(const Session& session, const RunOptions& options) {
    const auto reach = Reach::of(options);
    return std::ranges::any_of(session.arguments, [&](const Argument& each) { return may_be_struct(each, reach); });
}

void resolve_structs(const Session& session, const CompiledSource& compiled, const RunHooks& hooks,
                     std::vector<ArgumentData>& arguments) {
    Resolver(session, compiled, hooks, arguments).resolve();
}

} // namespace warplight::session
