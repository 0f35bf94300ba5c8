/* SPDX-License-Identifier: Apache-2.0
 * A library that asks the driver for what NVIDIA's libraries ask it for. Its file has the name of one of them. */
#include <cuda.h>

int closed_library_call(void);
int closed_library_call(void) {
    static const unsigned char of_runtime[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                                 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
    const void* table = 0;
    CUuuid id;
    int i;
    for (i = 0; i < 16; ++i)
        id.bytes[i] = (char)of_runtime[i];
    return (int)cuGetExportTable(&table, &id);
}
