// SPDX-License-Identifier: Apache-2.0
#include "session/formula.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/formula_text.hpp"
#include "session/parallel.hpp"
#include "session/session.hpp"

#ifdef WARPLIGHT_HAS_FORMULAS
#include "session/formula_parser.hpp"
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>

namespace warplight::session {

std::set<std::string> names_in_formula(const std::string& expression, const FormulaNames& arguments) {
    std::set<std::string> named;
    for (const FormulaName& name : names_of_formula(expression))
        for (const auto* list : {&arguments.scalars, &arguments.arrays, &arguments.compounds})
            if (std::ranges::find(*list, name.base()) != list->end()) named.emplace(name.base());
    return named;
}

#ifdef WARPLIGHT_HAS_FORMULAS
namespace {

/// Elements.
constexpr std::size_t formulas_worth_a_thread = std::size_t(1) << 14;
constexpr std::size_t between_questions = std::size_t(1) << 12;

template <class T>
T rounded(double value) {
    if constexpr (std::is_integral_v<T>)
        return from_double<T>(std::nearbyint(value));
    else
        return from_double<T>(value);
}

FormulaNames names_of_inputs(const FormulaInputs& inputs) {
    FormulaNames names;
    for (const auto& each : inputs.scalars)
        names.scalars.push_back(each.first);
    for (const auto& each : inputs.arrays)
        names.arrays.push_back(each.first);
    for (const auto& each : inputs.compounds)
        names.compounds.push_back(each.first);
    return names;
}

/// The first error, by its element: so it does not depend on the threads.
class FirstError {
public:
    void keep(std::size_t element) {
        const std::lock_guard lock(mutex_);
        if (error_ && element_ <= element) return;
        error_ = std::current_exception();
        element_ = element;
    }
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr error_;
    std::size_t element_ = 0;
};

} // namespace

bool has_formulas() { return true; }

void check_formula(const std::string& expression, std::size_t axes, const FormulaNames& arguments) {
    const FormulaParser parser(expression, axes, arguments);
}

bool fill_by_formula(NdArray& array, const std::string& expression, const FormulaInputs& inputs,
                     const FormulaHooks& hooks) {
    const FormulaNames names = names_of_inputs(inputs);
    // Once here, so that an error is told for an array without elements, too.
    FormulaParser(expression, array.ndim(), names).bind(inputs, array.shape());
    std::atomic<bool> stopped = false;
    FirstError error;
    const bool known = visit_dtype(array.dtype(), [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        const auto values = array.as_mutable<T>();
        in_parallel(values.size(), formulas_worth_a_thread, [&](std::size_t begin, std::size_t end) {
            std::size_t i = begin;
            try {
                FormulaParser parser(expression, array.ndim(), names);
                parser.bind(inputs, array.shape());
                parser.start(begin);
                for (; i < end; ++i) {
                    if ((i - begin) % between_questions == 0) {
                        // The first part is the calling thread's, whose hooks these are.
                        if (begin == 0 && hooks.cancelled && hooks.cancelled()) stopped = true;
                        if (stopped) return;
                        if (begin == 0 && hooks.progress)
                            hooks.progress(static_cast<double>(i) / static_cast<double>(end));
                    }
                    values[i] = rounded<T>(parser.next());
                }
            } catch (...) {
                error.keep(i);
            }
        });
    });
    if (!known)
        throw SessionError("A formula makes numbers only, and the array holds " + array.dtype().name() + ".",
                           "/expression");
    error.rethrow();
    return !stopped;
}

#else

namespace {

[[noreturn]] void refuse_formulas() {
    throw SessionError("This Warplight was built without muParser, so it has no formulas. Use another source of the "
                       "data, or a file.",
                       "/expression");
}

} // namespace

bool has_formulas() { return false; }

void check_formula(const std::string&, std::size_t, const FormulaNames&) { refuse_formulas(); }

bool fill_by_formula(NdArray&, const std::string&, const FormulaInputs&, const FormulaHooks&) { refuse_formulas(); }

#endif

} // namespace warplight::session
