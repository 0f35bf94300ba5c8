#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reaches the machine's GPU through an SSH server on its loopback: run-remote.sh BUNDLE_FOLDER [OUTPUT_FOLDER]
set -uo pipefail
bundle=$(realpath "$1")
out=${2:-$(mktemp -d)}
mkdir -p "$out"
export LD_LIBRARY_PATH="$bundle/lib:$bundle/ssh/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export WARPLIGHT_TEST_SSH="$bundle/ssh"
export WARPLIGHT_TEST_DRIVER=cuda WARPLIGHT_TEST_CLI="$bundle/bin/warplight-cli" QTEST_DISABLE_STACK_DUMP=1
WARPLIGHT_CACHE_DIR=$(mktemp -d)
export WARPLIGHT_CACHE_DIR
# The server gives up its rights to a user of this name.
if [ "$(id -u)" = 0 ] && ! getent passwd sshd >/dev/null; then
    echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin' >>/etc/passwd
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
failed=0
timeout 240 "$bundle/remote/remote_bridge_test" -o -,txt >"$out/remote_bridge_test.txt" 2>&1 || failed=1
grep -A4 -E '^FAIL!|QFATAL' "$out/remote_bridge_test.txt" | head -n 60
echo "remote_bridge_test: $(grep -E '^Totals:' "$out/remote_bridge_test.txt" | tail -n 1)"
timeout 120 "$bundle/remote/remote_bench" 60 2>&1 | tee "$out/remote_bench.txt" || failed=1
exit $failed
