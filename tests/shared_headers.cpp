// SPDX-License-Identifier: Apache-2.0
// A program that does nothing: the tests share its precompiled header.
int main() {}
