// SPDX-License-Identifier: Apache-2.0
#include "warplight/driver.hpp"

#include "driver/entry_points.hpp"
#include "driver/library.hpp"
#include "files/paths.hpp"
#include "warplight/version.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

namespace warplight::driver {

namespace detail {

namespace {

void* pointer_of(const EntryPoints& functions, const EntryPointInfo& info) {
    void* pointer;
    std::memcpy(static_cast<void*>(&pointer), reinterpret_cast<const std::byte*>(&functions) + info.offset,
                sizeof pointer);
    return pointer;
}

/// cuGetProcAddress of either signature; null where the library has none or does not know the name.
class ProcAddress {
public:
    explicit ProcAddress(void* library) {
        v2_ = reinterpret_cast<Pfn_cuGetProcAddress_v2>(find_symbol(library, "cuGetProcAddress_v2"));
        if (!v2_) v1_ = reinterpret_cast<PFN_cuGetProcAddress_v11030>(find_symbol(library, "cuGetProcAddress"));
    }
    void* operator()(const EntryPointInfo& info) const {
        constexpr cuuint64_t legacy_stream = 1;
        void* pointer = nullptr;
        int result = 0;
        CUresult code = CUDA_ERROR_NOT_FOUND;
        if (v2_)
            code = v2_(info.name, &pointer, info.version, legacy_stream, &result);
        else if (v1_)
            code = v1_(info.name, &pointer, info.version, legacy_stream);
        return code == CUDA_SUCCESS ? pointer : nullptr;
    }

private:
    Pfn_cuGetProcAddress_v2 v2_ = nullptr;
    PFN_cuGetProcAddress_v11030 v1_ = nullptr;
};

void fill_table(DriverState& driver) {
    // A library with a damaged cuDriverGetVersion can still be used for what it has.
    const auto get_version =
        reinterpret_cast<PFN_cuDriverGetVersion_v2020>(find_symbol(driver.handle, "cuDriverGetVersion"));
    if (!get_version || get_version(&driver.version) != CUDA_SUCCESS) driver.version = 0;
    const ProcAddress proc_address(driver.handle);
    for (const EntryPointInfo& info : kEntryPointTable) {
        // Asked for a form that is newer than itself a driver gives the one before, which takes other arguments.
        const bool known = driver.version == 0 || info.version <= driver.version;
        void* pointer = known ? proc_address(info) : nullptr;
        if (!pointer) pointer = find_symbol(driver.handle, info.symbol);
        std::memcpy(reinterpret_cast<std::byte*>(&driver.functions) + info.offset, static_cast<const void*>(&pointer),
                    sizeof pointer);
    }
    driver.last_error =
        reinterpret_cast<void (*)(char*, std::size_t)>(find_symbol(driver.handle, "cuxWarplightLastError"));
}

std::shared_ptr<const DriverState> open_first(std::string name, const std::vector<std::filesystem::path>& candidates) {
    auto driver = std::make_shared<DriverState>();
    driver->name = std::move(name);
    for (const auto& path : candidates) {
        std::error_code code;
        if (path.has_parent_path() && !std::filesystem::exists(path, code)) continue;
        driver->handle = open_library(path, driver->unavailable);
        driver->library = path.string();
        if (driver->handle) break;
        if (path.has_parent_path()) break; // it is there and broken: say so rather than take another one
    }
    if (driver->library.empty()) driver->library = candidates.back().string();
    if (driver->handle) {
        driver->unavailable.clear();
        fill_table(*driver);
        // The loader may have found it elsewhere: by the program's run path, …
        if (const auto file = library_file(driver->handle); files::is_absolute(file)) driver->library = file.string();
    } else if (driver->unavailable.empty()) {
        driver->unavailable = "no such file";
    }
    return driver;
}

/// The drivers opened so far, by library path.
struct Registry {
    std::mutex mutex;
    std::map<std::string, Driver> by_path;
    std::optional<Driver> chosen, found;
};
Registry& registry() {
    // Never destroyed: clean-up of other static objects may still call a driver.
    static Registry* const instance = new Registry;
    return *instance;
}

} // namespace

std::vector<std::filesystem::path> software_library_places() {
    std::vector<std::filesystem::path> paths;
    if (const char* chosen = std::getenv("WARPLIGHT_SOFTWARE_LIBRARY"); chosen && *chosen)
        return {files::absolute(chosen)};
    const char* file = software_library_name();
    for (const auto& folder : {executable_folder(), own_folder()}) {
        if (folder.empty()) continue;
        for (const char* relative : {".", "../bin", "../lib", "../lib/warplight", "../lib64", "../lib64/warplight"})
            paths.push_back(files::normal(folder / relative / file));
    }
    paths.emplace_back(file);
    return paths;
}

} // namespace detail

Driver Driver::cuda() {
    static const Driver driver(detail::open_first("cuda", detail::cuda_library_names()));
    return driver;
}

Driver Driver::software() {
    static const Driver driver(detail::open_first("software", detail::software_library_places()));
    return driver;
}

Driver Driver::open(const FilePath& library) {
    auto& registry = detail::registry();
    const std::scoped_lock lock(registry.mutex);
    const std::string key = library.string();
    if (const auto found = registry.by_path.find(key); found != registry.by_path.end()) return found->second;
    Driver driver(detail::open_first(key, {library}));
    // A library that could not be opened may be there later.
    if (driver.available()) registry.by_path.emplace(key, driver);
    return driver;
}

Driver Driver::from_name(const std::string& name) {
    if (name == "cuda") return cuda();
    if (name == "software") return software();
    throw_logic_error("there is no driver named '" + name + "'", {}, "The drivers are cuda and software");
}

Driver Driver::get_default() {
    auto& registry = detail::registry();
    const std::scoped_lock lock(registry.mutex);
    if (registry.chosen) return *registry.chosen;
    if (!registry.found) {
        const Driver driver = cuda();
        int count = 0;
        const auto& functions = driver.state().functions;
        const bool usable = functions.fn_cuInit && functions.fn_cuInit(0) == CUDA_SUCCESS &&
                            functions.fn_cuDeviceGetCount && functions.fn_cuDeviceGetCount(&count) == CUDA_SUCCESS &&
                            count > 0;
        registry.found = usable ? driver : software();
    }
    return *registry.found;
}

void Driver::set_default(const Driver& driver) {
    auto& registry = detail::registry();
    const std::scoped_lock lock(registry.mutex);
    registry.chosen = driver;
}

const std::string& Driver::name() const noexcept { return state_->name; }
const std::string& Driver::library() const noexcept { return state_->library; }
bool Driver::available() const noexcept { return state_->handle != nullptr; }
const std::string& Driver::unavailable_because() const noexcept { return state_->unavailable; }

int Driver::version() const {
    int version = 0;
    WARPLIGHT_CALL(*state_, cuDriverGetVersion, "driver " + library(), &version);
    return version;
}

std::vector<std::string> Driver::missing_entry_points(bool with_optional) const {
    std::vector<std::string> missing;
    for (const auto& info : detail::kEntryPointTable)
        if ((info.required || with_optional) && !detail::pointer_of(state_->functions, info))
            missing.push_back(info.member);
    return missing;
}

std::vector<std::string> Driver::entry_point_names() {
    std::vector<std::string> names;
    for (const auto& info : detail::kEntryPointTable)
        names.push_back(info.member);
    return names;
}

bool Driver::has_entry_point(const std::string& name) const {
    for (const auto& info : detail::kEntryPointTable)
        if (name == info.member) return detail::pointer_of(state_->functions, info) != nullptr;
    return false;
}

void Driver::init(unsigned flags) const {
    if (state_->initialized.load(std::memory_order_acquire)) return;
    const std::scoped_lock lock(state_->init_mutex);
    if (state_->initialized.load(std::memory_order_relaxed)) return;
    WARPLIGHT_CALL(*state_, cuInit, "driver " + library(), flags);
    state_->initialized.store(true, std::memory_order_release);
}

void init(unsigned flags) { Driver::get_default().init(flags); }

int get_driver_version() { return get_driver_version(Driver::get_default()); }
int get_driver_version(const Driver& driver) { return driver.version(); }

bool have_gl_ext() { return have_gl_ext(Driver::get_default()); }
bool have_gl_ext(const Driver& driver) {
    driver.init();
    const detail::EntryPoints& functions = driver.state().functions;
    if (!functions.fn_cuGraphicsGLRegisterBuffer || !functions.fn_cuGraphicsGLRegisterImage || !functions.fn_cuGLInit)
        return false;
    // Does nothing since CUDA 3, but tells whether the functions do anything.
    return functions.fn_cuGLInit() != CUDA_ERROR_NOT_SUPPORTED;
}

std::array<int, 3> get_version() noexcept { return {CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10, CUDA_VERSION % 10}; }

} // namespace warplight::driver

namespace warplight {
std::string_view version() noexcept { return WARPLIGHT_VERSION; }
} // namespace warplight
