// SPDX-License-Identifier: Apache-2.0
// A program that is linked with libnvJitLink, as NVIDIA's header has it: names of the header's version and those
// without one, each with the library's version. What comes of the linker is PTX.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NAMED(name) WL_NAMED_(name, WL_VERSION)
#define WL_NAMED_(name, version) WL_NAMED__(name, version)
#define WL_NAMED__(name, version) __nvJitLink##name##_##version

int NAMED(Create)(void** handle, unsigned count, const char** options);
int NAMED(AddData)(void* handle, int type, const void* data, size_t size, const char* name);
int NAMED(Complete)(void* handle);
int nvJitLinkGetLinkedCubinSize(void* handle, size_t* size);
int nvJitLinkGetLinkedCubin(void* handle, void* cubin);
int NAMED(Destroy)(void** handle);
int nvJitLinkVersion(unsigned* major, unsigned* minor);

static const char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";

static int names_kernel(const char* image, size_t size) {
    static const char name[] = "nothing";
    for (size_t k = 0; k + sizeof name <= size; ++k)
        if (!memcmp(image + k, name, sizeof name - 1)) return 1;
    return 0;
}

int main(void) {
    const char* options[] = {"-arch=sm_80"};
    enum { ptx = 2 };
    static char image[1 << 16];
    void* handle = NULL;
    size_t size = 0;
    unsigned major = 0, minor = 0;
    if (nvJitLinkVersion(&major, &minor) || major < 12) return 1;
    if (NAMED(Create)(&handle, 1, options)) return 2;
    if (NAMED(AddData)(handle, ptx, text, sizeof text, "nothing.ptx") || NAMED(Complete)(handle)) return 3;
    if (nvJitLinkGetLinkedCubinSize(handle, &size) || size > sizeof image) return 4;
    if (nvJitLinkGetLinkedCubin(handle, image) || !names_kernel(image, size)) return 5;
    if (NAMED(Destroy)(&handle)) return 6;
    puts("linked");
    return 0;
}
