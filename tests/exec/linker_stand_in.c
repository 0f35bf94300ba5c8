// SPDX-License-Identifier: Apache-2.0
// Has the names and the versions of NVIDIA's libnvJitLink, for programs to be linked with, and does nothing.
#define NAMED(name) WL_NAMED_(name, WL_VERSION)
#define WL_NAMED_(name, version) WL_NAMED__(name, version)
#define WL_NAMED__(name, version) __nvJitLink##name##_##version

int NAMED(Create)(void) { return 1; }
int NAMED(AddData)(void) { return 1; }
int NAMED(Complete)(void) { return 1; }
int NAMED(Destroy)(void) { return 1; }
int nvJitLinkGetLinkedCubinSize(void) { return 1; }
int nvJitLinkGetLinkedCubin(void) { return 1; }
int nvJitLinkVersion(void) { return 1; }
