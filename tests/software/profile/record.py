#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what Nsight Compute has counted of the accesses and branches of kernels.cu: record.py REPORT.ncu-rep >ncu.csv

One row for each instruction of the GPU's own code that accesses memory or branches. record.sh makes the report; the
module ncu_report comes with Nsight Compute (extras/python).
"""
import glob
import sys

sys.path += glob.glob("/opt/nvidia/nsight-compute/*/extras/python")
sys.path += glob.glob("/usr/local/cuda*/nsight-compute*/extras/python")

METRICS = {  # column: metric of the source page
    "executions": "inst_executed",
    "threads": "thread_inst_executed",
    "threads_on": "thread_inst_executed_true",
    "divergent": "smsp__branch_targets_threads_divergent",
    "sectors": "memory_l2_theoretical_sectors_global",
    "sectors_ideal": "memory_l2_theoretical_sectors_global_ideal",
    "local_sectors": "memory_l2_theoretical_sectors_local",
    "wavefronts": "memory_l1_wavefronts_shared",
    "wavefronts_ideal": "memory_l1_wavefronts_shared_ideal",
}
OPERATIONS = ("LDG", "STG", "ATOMG", "REDG", "LDS", "STS", "ATOMS", "LDL", "STL", "BRA", "EXIT")


def by_address(action, name):
    metric = action.metric_by_name(name)
    if metric is None or not metric.has_correlation_ids():
        return {}
    ids = metric.correlation_ids()
    return {ids.as_uint64(k): metric.as_uint64(k) for k in range(metric.num_instances())}


def main():
    import ncu_report

    print("kernel,line,operation," + ",".join(METRICS))
    for action in ncu_report.load_report(sys.argv[1]).range_by_idx(0):
        columns = {column: by_address(action, metric) for column, metric in METRICS.items()}
        for address in sorted(columns["executions"]):
            place = action.source_info(address)
            words = action.sass_by_pc(address).split()
            operation = next(word for word in words if not word.startswith("@")).rstrip(";")
            has_guard = words[0].startswith("@")
            if operation.split(".")[0] not in OPERATIONS or (operation == "EXIT" and not has_guard):
                continue
            figures = [str(column.get(address, 0)) for column in columns.values()]
            print(",".join([action.name(), str(place.line() if place else 0), operation, *figures]))


if __name__ == "__main__":
    main()
