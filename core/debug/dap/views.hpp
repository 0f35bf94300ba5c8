// SPDX-License-Identifier: Apache-2.0
// What a client sees of a kernel that stands still: threads, stacks, scopes, variables, as JSON of the protocol.
//
// A thread of the protocol is a warp or a thread of the block that stands still. Of a warp its chosen lane has the
// stack and the variables.
#pragma once

#include "debug/dap/arguments.hpp"
#include "debug/debugger.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::debug::dap {

using json = nlohmann::json;

struct ViewSettings {
    bool shows_threads = false;     ///< else warps
    std::filesystem::path folder;   ///< where relative names of sources begin
    std::string unsaved;            ///< name of a source that is in no file; empty: it is one
    std::string ptx_path;           ///< of a kernel without lines; empty: it is no file
    std::uint32_t first_line = 1;   ///< how the client counts
    std::uint32_t first_column = 1; ///< too
};

class Views {
public:
    ViewSettings settings;

    /// A new stop: what a client was told before has no meaning any more.
    void stand(const Standing& now);
    /// The launch is over.
    void forget();

    /// The block's thread that a number of the protocol means. @throws RequestError
    [[nodiscard]] std::uint32_t thread_of(const Standing& now, std::uint64_t id) const;
    [[nodiscard]] std::uint64_t id_of(std::uint32_t thread) const;
    /// A warp shows this lane from now on.
    void choose(std::uint32_t thread);

    [[nodiscard]] json threads(const Standing& now) const;
    [[nodiscard]] json stack(const Standing& now, std::uint64_t id, std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] json scopes(const Standing& now, std::uint64_t frame);
    [[nodiscard]] json variables(const Standing& now, std::uint64_t reference, std::uint64_t first,
                                 std::uint64_t count);
    /// `EXPRESSION`, `EXPRESSION @ lanes` or `EXPRESSION @ block`. @throws RequestError
    [[nodiscard]] json evaluate(const Standing& now, const std::string& expression, std::optional<std::uint64_t> frame);
    /// `warplight/standing`: block, warp, lane, and where the lanes of the warp and the warps of the block are.
    [[nodiscard]] json standing(const Standing& now, std::uint64_t id) const;
    /// `warplight/lanes`: an expression in all lanes of the warp or in all threads of the block, as numbers.
    /// @throws RequestError
    [[nodiscard]] static json values(const Standing& now, const std::string& expression, bool of_block,
                                     std::optional<std::uint64_t> frame);
    /// Thread and call of a frame; without one, the innermost call of the thread that stopped. @throws RequestError
    struct Frame {
        std::uint32_t thread = 0;
        std::size_t call = 0;
    };
    [[nodiscard]] static Frame frame_of(const Standing& now, std::optional<std::uint64_t> id);
    [[nodiscard]] static Scope scope_of(const Standing& now, const Frame& frame);
    /// An expression for a variable in a list that was shown. @throws RequestError
    [[nodiscard]] std::string expression_of(std::uint64_t reference, const std::string& name) const;
    [[nodiscard]] std::optional<Frame> frame_of_reference(std::uint64_t reference) const;

private:
    enum class List : std::uint8_t { locals, registers, shared, globals, indices, lanes, value, of_lanes, of_block };
    /// Something that can be opened.
    struct Node {
        List list = List::locals;
        Frame frame;
        Value value{};
        std::string expression; ///< of a value; of List::of_lanes and of_block: what is shown of each thread
    };
    [[nodiscard]] std::uint64_t add(Node node);
    [[nodiscard]] const Node& node(std::uint64_t reference) const;
    [[nodiscard]] json shown(const Standing& now, const std::string& name, const Value& value, const Frame& frame,
                             const std::string& expression);
    [[nodiscard]] json parts(const Standing& now, const Node& node, std::uint64_t first, std::uint64_t count);
    [[nodiscard]] json each_thread(const Standing& now, const Node& node, std::uint64_t first, std::uint64_t count);
    [[nodiscard]] std::string text_of_threads(const Standing& now, const std::string& expression, std::uint32_t begin,
                                              std::uint32_t end) const;
    [[nodiscard]] json source_of(const Standing& now, const Line& line) const;
    [[nodiscard]] std::string name_of_warp(const Standing& now, std::uint32_t warp) const;

    std::vector<Node> nodes_;
    std::map<std::uint32_t, std::uint32_t> lanes_; ///< chosen, by warp
    std::optional<std::uint64_t> block_;           ///< that stood still last
};

} // namespace warplight::debug::dap
