// SPDX-License-Identifier: Apache-2.0
#define CL_TARGET_OPENCL_VERSION 120
#include "peer.hpp"

#include <CL/cl.h>

#include <map>
#include <stdexcept>
#include <utility>

namespace warplight::bench {
namespace {

void check(cl_int status, const char* call) {
    if (status != CL_SUCCESS) throw std::runtime_error(std::string(call) + ": OpenCL error " + std::to_string(status));
}

std::string text_of(cl_platform_id platform, cl_platform_info what) {
    std::size_t size = 0;
    if (clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    clGetPlatformInfo(platform, what, size, text.data(), nullptr);
    text.resize(size - 1);
    return text;
}

template <class Handle, cl_int(CL_API_CALL* release)(Handle)>
class Owned {
public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (handle_) release(handle_);
    }
    Handle get() const { return handle_; }

private:
    Handle handle_ = nullptr;
};
using ClContext = Owned<cl_context, clReleaseContext>;
using ClQueue = Owned<cl_command_queue, clReleaseCommandQueue>;
using ClProgram = Owned<cl_program, clReleaseProgram>;
using ClKernel = Owned<cl_kernel, clReleaseKernel>;
using ClMemory = Owned<cl_mem, clReleaseMemObject>;

struct Device {
    cl_device_id id = nullptr;
    ClContext context;
    ClQueue queue;
};

class Kernels final : public Prepared, Queue {
public:
    Kernels(const Benchmark& benchmark, const Device& device) : benchmark_(benchmark), device_(device) {
        build();
        cl_int status = CL_SUCCESS;
        for (const Array& array : benchmark.arrays) {
            memory_.emplace_back(
                clCreateBuffer(device.context.get(), CL_MEM_READ_WRITE, array.bytes.size(), nullptr, &status));
            check(status, "clCreateBuffer");
            write(memory_.size() - 1);
            if (array.width == 0) continue;
            const cl_image_format format = {CL_R, CL_FLOAT};
            cl_image_desc extent = {};
            extent.image_type = CL_MEM_OBJECT_IMAGE2D;
            extent.image_width = array.width;
            extent.image_height = array.height;
            images_.emplace(memory_.size() - 1,
                            clCreateImage(device.context.get(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                          &extent, const_cast<std::byte*>(array.bytes.data()), &status));
            check(status, "clCreateImage");
        }
    }
    void restore() override {
        for (std::size_t i = 0; i < memory_.size(); ++i)
            if (benchmark_.arrays[i].written) write(i);
    }
    void run() override {
        benchmark_.kernels(*this);
        finish();
    }
    std::vector<std::byte> result(unsigned array) override {
        std::vector<std::byte> bytes(benchmark_.arrays[array].bytes.size());
        read_bytes(array, 0, bytes.data(), bytes.size());
        return bytes;
    }

private:
    void build() {
        const std::string source = kernel_source(benchmark_.name + ".cl");
        const char* text = source.c_str();
        cl_int status = CL_SUCCESS;
        program_ = ClProgram(clCreateProgramWithSource(device_.context.get(), 1, &text, nullptr, &status));
        check(status, "clCreateProgramWithSource");
        // CUDA's kernels are compiled without any option too.
        if (clBuildProgram(program_.get(), 1, &device_.id, "-cl-std=CL1.2", nullptr, nullptr) == CL_SUCCESS) return;
        std::size_t size = 0;
        clGetProgramBuildInfo(program_.get(), device_.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
        std::string log(size, '\0');
        clGetProgramBuildInfo(program_.get(), device_.id, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
        throw std::runtime_error("clBuildProgram: " + log);
    }
    void write(std::size_t i) {
        const Array& array = benchmark_.arrays[i];
        check(clEnqueueWriteBuffer(device_.queue.get(), memory_[i].get(), CL_TRUE, 0, array.bytes.size(),
                                   array.bytes.data(), 0, nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
    void read_bytes(unsigned array, std::size_t offset, void* to, std::size_t size) {
        check(clEnqueueReadBuffer(device_.queue.get(), memory_[array].get(), CL_TRUE, offset, size, to, 0, nullptr,
                                  nullptr),
              "clEnqueueReadBuffer");
    }
    void launch(const char* name, Dim blocks, Dim threads, std::initializer_list<Argument> arguments) override {
        auto found = kernels_.find(name);
        if (found == kernels_.end()) {
            cl_int status = CL_SUCCESS;
            ClKernel made(clCreateKernel(program_.get(), name, &status));
            check(status, "clCreateKernel");
            found = kernels_.emplace(name, std::move(made)).first;
        }
        const cl_kernel kernel = found->second.get();
        cl_uint index = 0;
        for (const Argument& argument : arguments) {
            cl_int status = CL_SUCCESS;
            if (const auto* memory = std::get_if<Memory>(&argument)) {
                const cl_mem handle = memory_[memory->array].get();
                status = clSetKernelArg(kernel, index, sizeof handle, &handle);
            } else if (const auto* texture = std::get_if<Texture>(&argument)) {
                const cl_mem handle = images_.at(texture->array).get();
                status = clSetKernelArg(kernel, index, sizeof handle, &handle);
            } else if (const auto* integer = std::get_if<std::int32_t>(&argument)) {
                status = clSetKernelArg(kernel, index, sizeof *integer, integer);
            } else {
                status = clSetKernelArg(kernel, index, sizeof(float), &std::get<float>(argument));
            }
            check(status, "clSetKernelArg");
            ++index;
        }
        const std::size_t local[] = {threads.x, threads.y, threads.z};
        const std::size_t global[] = {std::size_t{blocks.x} * threads.x, std::size_t{blocks.y} * threads.y,
                                      std::size_t{blocks.z} * threads.z};
        check(clEnqueueNDRangeKernel(device_.queue.get(), kernel, 3, nullptr, global, local, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
    }
    void finish() override { check(clFinish(device_.queue.get()), "clFinish"); }
    std::int32_t read(unsigned array, std::size_t index) override {
        std::int32_t value = 0;
        read_bytes(array, index * sizeof value, &value, sizeof value);
        return value;
    }

    const Benchmark& benchmark_;
    const Device& device_;
    ClProgram program_;
    std::vector<ClMemory> memory_;
    std::map<std::size_t, ClMemory> images_;
    std::map<std::string, ClKernel, std::less<>> kernels_;
};

class Pocl final : public Peer {
public:
    explicit Pocl(cl_platform_id platform) : version_(text_of(platform, CL_PLATFORM_VERSION)) {
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device_.id, nullptr), "clGetDeviceIDs");
        cl_int status = CL_SUCCESS;
        device_.context = ClContext(clCreateContext(nullptr, 1, &device_.id, nullptr, nullptr, &status));
        check(status, "clCreateContext");
        device_.queue = ClQueue(clCreateCommandQueue(device_.context.get(), device_.id, 0, &status));
        check(status, "clCreateCommandQueue");
    }
    std::string description() const override {
        cl_uint units = 0;
        clGetDeviceInfo(device_.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
        return version_ + ", " + std::to_string(units) + " compute units";
    }
    std::unique_ptr<Prepared> prepare(const Benchmark& benchmark) override {
        return std::make_unique<Kernels>(benchmark, device_);
    }

private:
    std::string version_;
    Device device_;
};

} // namespace

std::unique_ptr<Peer> pocl_peer(std::string& problem) {
    cl_uint count = 0;
    std::vector<cl_platform_id> platforms;
    if (clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS) {
        platforms.resize(count);
        clGetPlatformIDs(count, platforms.data(), nullptr);
    }
    for (const cl_platform_id platform : platforms)
        if (text_of(platform, CL_PLATFORM_NAME) == "Portable Computing Language") {
            try {
                return std::make_unique<Pocl>(platform);
            } catch (const std::exception& error) {
                problem = error.what();
                return nullptr;
            }
        }
    problem = "not among " + std::to_string(platforms.size()) + " OpenCL platforms (Debian: pocl-opencl-icd)";
    return nullptr;
}

} // namespace warplight::bench
