// SPDX-License-Identifier: Apache-2.0
// Good calls: modules, libraries, the linker, functions and launches.
#include "bad_input.hpp"

namespace bad_input {
namespace {

constexpr char kText[] = ".version 6.5\n.target sm_75\n.address_size 64\n.visible .entry other() { ret; }\n";

Slot text(Fixture& f) {
    Slot slot = f.bytes(sizeof kText);
    std::memcpy(reinterpret_cast<void*>(slot.bits), kText, sizeof kText);
    return slot;
}
constexpr const char* kNowhere = "no such folder/no such file";

CUlaunchConfig configuration(Fixture& f) {
    CUlaunchConfig c{};
    c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1;
    c.hStream = f.as<CUstream>(Thing::stream);
    return c;
}
Slot in_configuration(Fixture& f) {
    return f.in(configuration(f), {0, offsetof(CUlaunchConfig, attrs)}, {offsetof(CUlaunchConfig, hStream)});
}
Slot in_attribute(Fixture& f) {
    auto* attribute = static_cast<CUlaunchAttribute*>(f.scratch(sizeof(CUlaunchAttribute)));
    attribute->id = static_cast<CUlaunchAttributeID>(0x7fffffff);
    CUlaunchConfig c = configuration(f);
    c.attrs = attribute;
    c.numAttrs = 1;
    return f.in(c, {0, offsetof(CUlaunchConfig, attrs), offsetof(CUlaunchConfig, numAttrs)},
                {offsetof(CUlaunchConfig, hStream)});
}
/// More than a grid may have.
Slot grid_x(Fixture& f) { return f.pick(1, {0, 0x80000000, 0xffffffff}); }

} // namespace

void add_code(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuModuleLoad, f.makes(Thing::module), kNowhere);
    WARPLIGHT_ROW(cuModuleLoadData, f.makes(Thing::module), text(f));
    WARPLIGHT_ROW_AS(cuModuleLoadData, "zeros", f.makes(Thing::module), f.bytes());
    WARPLIGHT_ROW(cuModuleLoadDataEx, f.makes(Thing::module), text(f), 0, f.fixed(0), f.fixed(0));
    WARPLIGHT_ROW(cuModuleLoadFatBinary, f.makes(Thing::module), text(f));
    WARPLIGHT_ROW_AS(cuModuleLoadFatBinary, "zeros", f.makes(Thing::module), f.bytes());
    WARPLIGHT_ROW(cuModuleUnload, f.takes(Thing::module));
    WARPLIGHT_ROW(cuModuleGetFunction, f.out(), f.is(Thing::module), "store");
    WARPLIGHT_ROW(cuModuleGetGlobal, f.out(), f.out(), f.is(Thing::module), "counter");
    WARPLIGHT_ROW(cuModuleGetTexRef, f.out(), f.is(Thing::module), "image");
    WARPLIGHT_ROW(cuModuleGetSurfRef, f.out(), f.is(Thing::module), "picture");
    WARPLIGHT_ROW(cuModuleGetLoadingMode, f.out());
    WARPLIGHT_ROW(cuModuleGetFunctionCount, f.out(), f.is(Thing::module));
    WARPLIGHT_ROW(cuModuleEnumerateFunctions, f.out(), f.pick(2, {0, 1}), f.is(Thing::module));

    WARPLIGHT_ROW(cuLibraryLoadData, f.makes(Thing::library), text(f), f.fixed(0), f.fixed(0), 0, f.fixed(0),
                  f.fixed(0), 0);
    WARPLIGHT_ROW(cuLibraryLoadFromFile, f.makes(Thing::library), kNowhere, f.fixed(0), f.fixed(0), 0, f.fixed(0),
                  f.fixed(0), 0);
    WARPLIGHT_ROW(cuLibraryUnload, f.takes(Thing::library));
    WARPLIGHT_ROW(cuLibraryGetKernel, f.out(), f.is(Thing::library), "store");
    WARPLIGHT_ROW(cuLibraryGetModule, f.out(), f.is(Thing::library));
    WARPLIGHT_ROW(cuLibraryGetGlobal, f.out(), f.out(), f.is(Thing::library), "counter");
    WARPLIGHT_ROW(cuLibraryGetKernelCount, f.out(), f.is(Thing::library));
    WARPLIGHT_ROW(cuLibraryEnumerateKernels, f.out(), f.pick(2, {0, 1}), f.is(Thing::library));
    WARPLIGHT_ROW(cuKernelGetFunction, f.out(), f.is(Thing::kernel));
    WARPLIGHT_ROW(cuKernelGetLibrary, f.out(), f.is(Thing::kernel));
    WARPLIGHT_ROW(cuKernelGetAttribute, f.out(), CU_FUNC_ATTRIBUTE_NUM_REGS, f.is(Thing::kernel), 0);
    WARPLIGHT_ROW(cuKernelSetAttribute, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, f.is(Thing::kernel), 0);
    WARPLIGHT_ROW(cuKernelSetCacheConfig, f.is(Thing::kernel), CU_FUNC_CACHE_PREFER_NONE, 0);
    WARPLIGHT_ROW(cuKernelGetName, f.out(), f.is(Thing::kernel));
    WARPLIGHT_ROW(cuKernelGetParamInfo, f.is(Thing::kernel), 0, f.out(), f.out());

    WARPLIGHT_ROW(cuLinkCreate, 0, f.fixed(0), f.fixed(0), f.makes(Thing::linker));
    WARPLIGHT_ROW(cuLinkAddData, f.is(Thing::linker), CU_JIT_INPUT_PTX, text(f), f.pick(sizeof kText, {0, 1}), "code",
                  0, f.fixed(0), f.fixed(0));
    WARPLIGHT_ROW(cuLinkAddFile, f.is(Thing::linker), CU_JIT_INPUT_PTX, kNowhere, 0, f.fixed(0), f.fixed(0));
    WARPLIGHT_ROW(cuLinkComplete, f.is(Thing::linker), f.out(), f.out());
    WARPLIGHT_ROW(cuLinkDestroy, f.takes(Thing::linker));

    WARPLIGHT_ROW(cuFuncGetAttribute, f.out(), CU_FUNC_ATTRIBUTE_NUM_REGS, f.is(Thing::function));
    WARPLIGHT_ROW(cuFuncSetAttribute, f.is(Thing::function), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024);
    WARPLIGHT_ROW_AS(cuFuncSetAttribute, "carveout", f.is(Thing::function),
                     CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
    WARPLIGHT_ROW(cuFuncSetCacheConfig, f.is(Thing::function), CU_FUNC_CACHE_PREFER_NONE);
    WARPLIGHT_ROW(cuFuncSetSharedMemConfig, f.is(Thing::function), CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE);
    WARPLIGHT_ROW(cuFuncGetModule, f.out(), f.is(Thing::function));
    WARPLIGHT_ROW(cuFuncLoad, f.is(Thing::function));
    WARPLIGHT_ROW(cuFuncIsLoaded, f.out(), f.is(Thing::function));
    WARPLIGHT_ROW(cuFuncGetName, f.out(), f.is(Thing::function));
    WARPLIGHT_ROW(cuFuncGetParamInfo, f.is(Thing::function), 0, f.out(), f.out());
    WARPLIGHT_ROW(cuFuncSetBlockShape, f.is(Thing::plain_function), 1, 1, 1);
    WARPLIGHT_ROW(cuFuncSetSharedSize, f.is(Thing::plain_function), 0);
    WARPLIGHT_ROW(cuParamSetSize, f.is(Thing::plain_function), 0);
    WARPLIGHT_ROW(cuParamSeti, f.is(Thing::function), 8, f.fixed(1));
    WARPLIGHT_ROW(cuParamSetf, f.is(Thing::function), 8, 1.0F);
    WARPLIGHT_ROW(cuParamSetv, f.is(Thing::function), 0, f.bytes(), 8);
    WARPLIGHT_ROW(cuParamSetTexRef, f.is(Thing::function), -1, f.is(Thing::module_reference));
    WARPLIGHT_ROW(cuLaunch, f.is(Thing::plain_function));
    WARPLIGHT_ROW(cuLaunchGrid, f.is(Thing::plain_function), f.pick(1, {0, 0xffffffff}), f.pick(1, {0, 0xffffffff}));
    WARPLIGHT_ROW(cuLaunchGridAsync, f.is(Thing::plain_function), f.pick(1, {0, 0xffffffff}),
                  f.pick(1, {0, 0xffffffff}), f.is(Thing::stream));
    WARPLIGHT_ROW(cuLaunchKernel, f.is(Thing::function), grid_x(f), 1, 1, 1, 1, 1, 0, f.is(Thing::stream),
                  f.parameters(), f.fixed(0));
    WARPLIGHT_ROW(cuLaunchKernelEx, in_configuration(f), f.is(Thing::function), f.parameters(), f.fixed(0));
    WARPLIGHT_ROW_AS(cuLaunchKernelEx, "attribute", in_attribute(f), f.is(Thing::function), f.parameters(), f.fixed(0));
    WARPLIGHT_ROW(cuLaunchCooperativeKernel, f.is(Thing::function), grid_x(f), 1, 1, 1, 1, 1, 0, f.is(Thing::stream),
                  f.parameters());

    WARPLIGHT_ROW(cuOccupancyMaxActiveBlocksPerMultiprocessor, f.out(), f.is(Thing::function), 64, 0);
    WARPLIGHT_ROW(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, f.out(), f.is(Thing::function), 64, 0, 0);
    WARPLIGHT_ROW(cuOccupancyMaxPotentialBlockSize, f.out(), f.out(), f.is(Thing::function), f.fixed(0), 0, 0);
    WARPLIGHT_ROW(cuOccupancyMaxPotentialBlockSizeWithFlags, f.out(), f.out(), f.is(Thing::function), f.fixed(0), 0, 0,
                  0);
    WARPLIGHT_ROW(cuOccupancyAvailableDynamicSMemPerBlock, f.out(), f.is(Thing::function), 1, 64);
    WARPLIGHT_ROW(cuOccupancyMaxPotentialClusterSize, f.out(), f.is(Thing::function), in_configuration(f));
    WARPLIGHT_ROW(cuOccupancyMaxActiveClusters, f.out(), f.is(Thing::function), in_configuration(f));
}

} // namespace bad_input
