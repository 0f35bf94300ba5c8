// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.hpp"

#include "files/paths.hpp"
#include "files/random_name.hpp"

#include <string>
#include <vector>

namespace warplight::files {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kNameMark = ".warplight-";
/// File systems take names of 255 bytes.
constexpr std::size_t kMostOfName = 200;

fs::path temporary_name(const fs::path& name) {
    fs::path result = ".";
    result += name.native().substr(0, kMostOfName);
    result += std::string(kNameMark) + random_name();
    return result;
}

/// Removes the temporary file unless it has got its name.
class Unfinished {
public:
    Unfinished(const platform::Folder& folder, const fs::path& path) : folder_(folder), path_(path) {
        std::error_code error;
        for (int i = 0; i < kNameTries; ++i) {
            name_ = temporary_name(path.filename());
            file_ = folder.create(name_, true, error);
            if (error != std::errc::file_exists) break;
        }
        if (error) throw Problem(path, "cannot be written", error);
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished() {
        if (!done_) folder_.remove(name_);
    }
    platform::File& file() { return file_; }
    void finish(Lasting lasting) {
        if (lasting == Lasting::machine)
            if (const auto error = file_.sync()) throw Problem(path_, "cannot be written", error);
        // The file stays open, and so held, until it has its name.
        if (const auto error = folder_.rename(name_, path_.filename()); error && is_held(path_))
            throw Problem(path_, "cannot be replaced: another program has it open. Close it there");
        else if (error)
            throw Problem(path_, "cannot be replaced", error);
        done_ = true;
    }

private:
    const platform::Folder& folder_;
    const fs::path& path_;
    fs::path name_;
    platform::File file_;
    bool done_ = false;
};

} // namespace

void NewFile::write(std::span<const std::byte> bytes) {
    if (const auto error = file_.write(bytes)) throw Problem(path_, "cannot be written", error);
    size_ += bytes.size();
}

void NewFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (const auto error = file_.write_at(offset, bytes)) throw Problem(path_, "cannot be written", error);
}

void NewFile::read_at(std::uint64_t offset, std::span<std::byte> to) const {
    if (const auto error = file_.read_at(offset, to)) throw Problem(path_, "cannot be read again", error);
}

void NewFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void write_new_file(const platform::Folder& folder, const fs::path& path, const Writer& writer, Lasting lasting) {
    Unfinished unfinished(folder, path);
    NewFile file(path, unfinished.file());
    writer(file);
    unfinished.finish(lasting);
}

void write_new_file(const fs::path& path, const Writer& writer, Lasting lasting) {
    if (const auto problem = path_problem(path); !problem.empty())
        throw Problem(path, "cannot be written: it " + problem);
    // A rename would put a file in the place of a device such as /dev/null.
    std::error_code ignored;
    const auto status = fs::status(path, ignored);
    if (fs::is_directory(status)) throw Problem(path, "is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw Problem(path, "cannot be replaced: it is no regular file");
    std::string reason;
    const auto folder = platform::Folder::open(path.parent_path(), platform::Owner::anybody, reason);
    if (!folder.is_open()) throw Problem(path, "cannot be written: its folder " + reason);
    remove_temporary_files(folder);
    write_new_file(folder, path, writer, lasting);
}

bool is_temporary_file(const fs::path& path) {
    const std::string name = path.string();
    const std::size_t mark = name.rfind(kNameMark);
    return mark != std::string::npos && mark > 0 && name.front() == '.' &&
           is_random_name(std::string_view(name).substr(mark + kNameMark.size()));
}

void remove_temporary_files(const platform::Folder& folder) {
    std::vector<fs::path> found;
    folder.each_name([&](const fs::path& name) {
        if (is_temporary_file(name)) found.push_back(name);
    });
    for (const fs::path& name : found)
        folder.remove_unheld(name);
}

} // namespace warplight::files
