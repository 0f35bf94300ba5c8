// SPDX-License-Identifier: Apache-2.0
// Instructions made at random from the table of forms: a row of ptx/forms.def is in random programs at once, with
// registers in all positions that take one. Rows that cannot be are in forms_not_generated(), with the reason.
#pragma once

#include "software/ptx/forms.hpp"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rows of forms.def with this opcode and these modifiers, as they stand there, in no random program.
struct NotGenerated {
    std::string_view opcode, modifiers, reason;
    std::string_view example = {}; ///< where the row says nothing of the operands
    [[nodiscard]] bool is_refused() const;
};
[[nodiscard]] std::span<const NotGenerated> forms_not_generated();
[[nodiscard]] const NotGenerated* why_not_generated(const warplight::ptx::Form& form);

/// What instructions look like whose row leaves modifiers and operands open: all of these are in random programs.
struct OpenShape {
    std::string_view mnemonic; ///< these words, and perhaps others
    int number = -1;           ///< an operand, if it is not negative
};
[[nodiscard]] std::span<const OpenShape> open_shapes();

class RandomForms {
public:
    enum class Place {
        anywhere, ///< threads may have parted
        together, ///< all threads of the block are there
    };
    struct Choice {
        bool alone = false;        ///< what keeps a kernel from running side by side, too
        bool warps = false;        ///< operations of warps, too
        bool local_memory = false; ///< memory of the threads' own, too
    };
    /// Appends to `text`. The kernel's names are those of random_program.cpp.
    RandomForms(std::mt19937_64& random, std::string& text, Choice choice);

    static std::string module_variables();
    [[nodiscard]] std::string declarations() const;
    void begin(); ///< gives all registers values
    void store(); ///< what they hold, at %rd4 + kRandomForms

    /// One instruction, behind `guard`, and what it needs before it.
    void instruction(Place place, const std::string& guard, bool in_loop);

    /// Whether the loader refuses all that is made of a row, or its example, where the operands are not in the table.
    [[nodiscard]] bool is_refused(const warplight::ptx::Form& form);

private:
    struct Pool {
        std::string_view prefix;
        unsigned first, count;
        warplight::ptx::Type type;
    };
    using Form = warplight::ptx::Form;
    using OperandRule = warplight::ptx::OperandRule;
    using Type = warplight::ptx::Type;
    using Space = warplight::ptx::Space;

    static std::span<const Pool> pools();
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    bool one_in(unsigned n) { return below(n) == 0; }
    void line(const std::string& s) { text_ += s + "\n"; }
    template <class T>
    const T& pick(const std::vector<T>& all) {
        return all[below(static_cast<unsigned>(all.size()))];
    }
    [[nodiscard]] static std::vector<std::string> registers_for(Type wanted, bool relaxed);
    std::string register_for(Type wanted, bool relaxed) { return pick(registers_for(wanted, relaxed)); }
    std::string immediate(Type type);
    std::string source(Type type, bool relaxed, bool special);
    std::string address(const Form& form, Space space, unsigned bytes);
    std::string own_address(Space space, unsigned bytes);
    std::string read_address(Space space, unsigned bytes);
    std::string members();

    // What needs more than its operands to be the same each time: random_templates.cpp
    bool from_template(const Form& form, Place place, const std::string& guard);
    void never_reached(const Form& form);
    void copy_of_thread(const std::string& guard);
    void bulk_to_global(const std::string& guard);
    void fence_with_words(const Form& form, const std::string& guard);

    // Barriers that not all threads wait at, and barrier objects: random_barriers.cpp
    enum class Transfer { store, reduction, copy };
    struct Object;
    std::string r() { return "%r" + std::to_string(1 + below(8)); }
    std::string label() { return "X" + std::to_string(next_label_++); }
    std::string one_of(std::initializer_list<const char*> all) {
        return all.begin()[below(static_cast<unsigned>(all.size()))];
    }
    std::string number(unsigned n);
    std::string operation(const std::string& words, bool of_cluster = false);
    std::string release();
    void require(bool expected);
    void require_same(const std::string& reg, unsigned expected);
    Transfer transfer_of(const Form& form);
    unsigned transfer_bytes(Transfer transfer);
    void transfer(Transfer transfer, unsigned bytes);
    void copy_that_arrives(bool counts);
    void own_object(const Form& form, const std::string& guard);
    void object_step(Object& object);
    void object_of_block(const Form& form);
    void arrive_in_phase(const Form& form, unsigned arrivals, bool& has_state);
    void exchange_begins(const std::string& guard);
    void exchange_ends(const std::string& guard);
    void exchange_with_another();
    void halves(const Form& form);
    void cluster_barrier();
    void reduce_in_bulk(bool to_global);

    /// Makes what is no number the same on all ways.
    void unify_nan(Type type, const std::string& reg);
    /// Empty: it did not work out.
    std::string from_table(const Form& form, bool in_loop);

    std::mt19937_64& random_;
    std::string& text_;
    const Choice choice_;
    std::vector<const Form*> anywhere_, together_, alone_;
    std::vector<std::string> numbers_; ///< that the last instruction made calculates: registers, or places in memory
    Type number_type_ = Type::f32;     ///< f32 or f64
    unsigned next_label_ = 0;
    unsigned exchanged_ = 0; ///< told from the words of other exchanges
};

inline constexpr unsigned kRandomForms = 48; ///< bytes of results before theirs
