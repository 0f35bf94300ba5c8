# SPDX-License-Identifier: Apache-2.0
"""warplight-cli debug --dap, driven by a client that is not this project's. dap_test.py CLI FOLDER"""
import base64
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from dap_client import Client, Failed, check_body
except ImportError as missing:
    sys.exit(f"{missing}: the package python3-debugpy has the client (scripts/dependencies.sh installs it)")

CLI = sys.argv[1]
KERNELS = pathlib.Path(sys.argv[2])
SOURCE = (KERNELS / "steps.cu").read_text().splitlines()


def line(text):
    return next(k for k, each in enumerate(SOURCE, 1) if text in each)


class DapTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        path = pathlib.Path(self.folder.name)
        (path / "steps.cu").write_text("\n".join(SOURCE) + "\n")
        self.program = str(path / "steps.cu")
        self.launch = {
            "kernel": "steps", "grid": [3], "block": [64], "arguments": [
                {"name": "n", "direction": "scalar", "type": "i32", "value": 192},
                {"name": "x", "direction": "in",
                 "source": {"kind": "arange", "dtype": "float32", "shape": [192], "start": 0, "step": 0.5}},
                {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [192]}},
            ]}

    def client(self, *options):
        client = Client(CLI, *options)
        self.addCleanup(lambda: client.process.poll() is None and client.process.kill())
        return client

    def begin(self, breakpoints=(), **options):
        client = self.client()
        client.begin(self.program, breakpoints, **{**self.launch, **options})
        return client

    def test_breakpoints_are_verified_when_the_kernel_begins(self):
        c = self.begin([(line("// in twice"), "value == 1")])
        self.assertTrue(c.capabilities["supportsStepBack"])
        self.assertFalse(c.breakpoints[0]["verified"])
        self.assertEqual(c.wait("process")[1]["name"], "steps")
        _, changed = c.wait("breakpoint")
        self.assertTrue(changed["breakpoint"]["verified"])
        self.assertEqual(c.ended(), 0)  # the condition never holds
        c.end()

    def test_a_whole_session(self):
        c = self.begin([(line("// in twice"), "threadIdx.x == 5")])
        stop = c.stopped()
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertEqual(stop["hitBreakpointIds"], [c.breakpoints[0]["id"]])
        threads = c.request("threads")["threads"]
        self.assertEqual(len(threads), 2)
        self.assertIn("warp 0: threads 0–31, 32 at line", threads[0]["name"])
        frames = c.stack(stop["threadId"])
        self.assertEqual([f["line"] for f in frames], [line("// in twice"), line("// call")])
        self.assertEqual(frames[0]["source"]["path"], self.program)
        self.assertIn("thread (5, 0, 0)", frames[0]["name"])
        total = sum(((5 + k) % 64) * 10 for k in range(4))
        self.assertEqual(c.scope(frames[0]["id"], "Locals")["value"]["value"], str(total))
        caller = c.scope(frames[1]["id"], "Locals")
        self.assertEqual(caller["sum"]["value"], str(total))
        self.assertEqual(caller["pair"]["type"], "Pair")
        pair = c.variables(caller["pair"]["variablesReference"])
        self.assertEqual(pair["first"]["value"], "5")
        second = c.variables(pair["second"]["variablesReference"], start=1, count=1)
        self.assertEqual({k: v["value"] for k, v in second.items()}, {"[1]": "2"})
        indices = c.scope(frames[0]["id"], "Indices")
        self.assertEqual(indices["threadIdx"]["value"], "{x = 5, y = 0, z = 0}")
        lanes = c.scope(frames[0]["id"], "Lanes of the warp")
        each = c.variables(lanes["value"]["variablesReference"])
        self.assertEqual(len(each), 32)
        self.assertEqual(each["lane 7"]["value"], str(sum((7 + k) * 10 for k in range(4))))
        self.assertIn("tile", c.scope(frames[1]["id"], "Shared memory"))
        self.assertIn("total", c.scope(frames[1]["id"], "Global variables"))
        self.assertTrue(any(name.startswith("%r") for name in c.scope(frames[0]["id"], "Registers")))
        self.assertEqual(c.value("value * 2 + 1", frames[0]["id"]), str(2 * total + 1))
        self.assertTrue(c.value("threadIdx.x @ block", frames[0]["id"]).startswith("0, 1, 2, 3"))
        self.assertEqual(c.value("blockDim.x @ lanes"), "64 (×32)")
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        c.request("continue", threadId=stop["threadId"])
        self.assertEqual(c.ended(), 0)
        self.assertIn("The kernel has ended.", c.output)
        self.assertEqual(c.end(), 0)

    def test_steps(self):
        c = self.begin([line("// first")])
        stop = c.stopped()
        thread = stop["threadId"]
        lines = []
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        for request in ["next"] * 3 + ["stepIn"]:
            c.request(request, threadId=thread)
            self.assertEqual(c.stopped()["reason"], "step")
            lines.append(c.stack(thread)[0]["line"])
        self.assertEqual(lines, sorted(lines))
        c.request("setBreakpoints", source={"path": self.program},
                  breakpoints=[{"line": line("// call"), "condition": "i == 3"}])
        c.request("continue", threadId=thread)
        thread = c.stopped()["threadId"]
        c.request("stepIn", threadId=thread)
        c.stopped()
        self.assertEqual(len(c.stack(thread)), 2)
        c.request("stepOut", threadId=thread)
        c.stopped()
        self.assertEqual([f["line"] for f in c.stack(thread)], [line("// call")])
        c.request("stepBack", threadId=thread)
        c.stopped()
        self.assertIn(c.stack(thread)[0]["line"], (line("// call"), line("// call") - 2))
        c.end()

    def test_going_back(self):
        c = self.begin([(line("// store"), "i == 75")])
        stop = c.stopped()
        frame = c.stack(stop["threadId"])[0]["id"]
        info = c.request("dataBreakpointInfo", name="sum", frameId=frame)
        self.assertIsNotNone(info["dataId"])
        self.assertEqual(c.request("dataBreakpointInfo", name="1 + 1", frameId=frame)["dataId"], None)
        c.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        for k in (3, 2):
            c.request("reverseContinue", threadId=stop["threadId"])
            stop = c.stopped()
            self.assertEqual(stop["reason"], "data breakpoint")
            frame = c.stack(stop["threadId"])[0]
            self.assertEqual(frame["line"], line("// in the loop"))
            self.assertEqual(c.value("k", frame["id"]), str(k))
        c.request("setDataBreakpoints", breakpoints=[])
        c.request("reverseContinue", threadId=stop["threadId"])
        self.assertEqual(c.stopped()["reason"], "entry")
        c.request("evaluate", expression="block 2", context="repl")
        self.assertTrue(c.wait("continued", "stopped")[1]["allThreadsContinued"])
        stop = c.stopped()
        self.assertEqual(c.value("blockIdx.x"), "2")
        self.assertEqual(c.value("total"), "128")
        c.request("evaluate", expression="lane 9", context="repl")
        c.wait("invalidated")
        self.assertIn("thread (9, 0, 0)", c.stack(stop["threadId"])[0]["name"])
        c.request("continue", threadId=1)
        self.assertEqual(c.ended(), 0)
        c.end()

    def test_threads_one_by_one(self):
        c = self.begin([(line("// count"), "i == 40")], threads="threads")
        stop = c.stopped()
        self.assertEqual(stop["threadId"], 41)
        self.assertEqual(len(c.request("threads")["threads"]), 64)
        self.assertEqual(c.value("i", c.stack(38)[0]["id"]), "37")
        c.end()

    def test_memory(self):
        c = self.begin([(line("// count"), "i == 40")])
        stop = c.stopped()
        frame = c.stack(stop["threadId"])[0]["id"]
        x = c.request("evaluate", expression="x", frameId=frame, context="watch")
        answer = c.request("readMemory", memoryReference=x["memoryReference"], offset=4, count=8)
        self.assertEqual(struct.unpack("<2f", base64.b64decode(answer["data"])), (0.5, 1.0))
        beyond = c.request("readMemory", memoryReference="0x10", count=8)
        self.assertEqual(beyond["unreadableBytes"], 8)
        c.end()

    def test_output_and_faults(self):
        path = pathlib.Path(self.folder.name) / "wild.cu"
        path.write_text('#include <cstdio>\n'
                        'extern "C" __global__ void wild(int* p) {\n'
                        '    printf("thread %d\\n", threadIdx.x);\n'
                        '    p[threadIdx.x << 24] = 1;\n'
                        '}\n')
        c = self.client()
        c.begin(str(path), block=[2], arguments=[
            {"name": "p", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [16]}}])
        stop = c.stopped()
        self.assertEqual(stop["reason"], "exception")
        self.assertEqual(c.stack(stop["threadId"])[0]["line"], 4)
        self.assertEqual(c.value("threadIdx.x"), "1")
        self.assertIn("address", c.request("exceptionInfo", threadId=1)["description"])
        with self.assertRaisesRegex(Failed, "can go back"):
            c.request("next", threadId=1)
        c.request("stepBack", threadId=1)
        c.stopped()
        c.request("continue", threadId=1)
        self.assertEqual(c.stopped()["reason"], "exception")
        c.request("continue", threadId=1)
        self.assertEqual(c.ended(), 4)
        self.assertEqual(c.output.count("thread 0\n"), 1)  # going back prints nothing again
        c.end()

    def test_a_session_and_what_it_may_read(self):
        path = pathlib.Path(self.folder.name) / "steps.warplight"
        path.write_text(json.dumps(self.document("steps.cu")))
        c = self.client()
        c.begin(str(path), stopOnEntry=True)
        self.assertEqual(c.stopped()["reason"], "entry")
        c.request("continue", threadId=1)
        self.assertEqual(c.ended(), 0)
        c.end()

    def document(self, source):
        return {"warplight": 1, "source": source, "kernel": "steps", "arguments": self.launch["arguments"],
                "launch": {"grid": [3], "block": [64]}}

    def test_a_session_that_is_not_saved(self):
        edited = "\n".join(["// One line more."] + SOURCE) + "\n"
        for source, path in [("steps.cu", self.program), ({"name": "new.cu", "text": ""}, None)]:
            c = self.client()
            c.begin(None, [(line("// store") + 1, "i == 75")], session=self.document(source), folder=self.folder.name,
                    source_text=edited, source=path or "new.cu")
            stop = c.stopped()
            frame = c.stack(stop["threadId"])[0]
            self.assertEqual(frame["line"], line("// store") + 1)
            if path:
                self.assertEqual(frame["source"]["path"], path)
            else:
                self.assertEqual(frame["source"], {"name": "new.cu", "sourceReference": 1})
                self.assertEqual(c.request("source", sourceReference=1)["content"], edited)
            self.assertEqual(c.value("i", frame["id"]), "75")
            c.end()

    def test_a_session_that_is_not_saved_reads_only_its_folder(self):
        other = tempfile.TemporaryDirectory()
        self.addCleanup(other.cleanup)
        data = pathlib.Path(other.name) / "x.bin"
        data.write_bytes(bytes(192 * 4))
        document = self.document("steps.cu")
        document["arguments"] = [dict(each) for each in document["arguments"]]
        document["arguments"][1]["source"] = {"kind": "file", "path": str(data), "dtype": "float32", "shape": [192]}
        for allow, code in [([], 2), ([other.name], 0)]:
            c = self.client()
            c.begin(None, session=document, folder=self.folder.name, source_text="\n".join(SOURCE), allow=allow)
            self.assertEqual(c.ended(), code, c.output)
            c.end()
        c = self.client()
        c.request("initialize", adapterID="warplight")
        for arguments, text in [({"session": document}, "folder"), ({"session": 5, "folder": "/"}, "session"),
                                ({"session": document, "folder": self.folder.name, "source_text": 3}, "source_text")]:
            with self.assertRaisesRegex(Failed, text):
                c.request("launch", **arguments)
        c.end()

    def test_all_lanes_as_numbers(self):
        c = self.begin([(line("// odd"), "i == 97")])  # threads 1, 3, … of block 1
        stop = c.stopped()
        frame = c.stack(stop["threadId"])[0]["id"]
        lanes = c.own("lanes", expression="threadIdx.x * 2", frameId=frame)
        self.assertEqual((lanes["first"], lanes["blockDim"]), (32, [64, 1, 1]))
        self.assertEqual(lanes["numbers"], [(32 + k) * 2 for k in range(32)])
        self.assertEqual(lanes["texts"][5], "74")
        self.assertEqual(lanes["valid"], [True] * 32)
        self.assertEqual(lanes["here"], [k % 2 == 1 for k in range(32)])
        block = c.own("lanes", expression="x[threadIdx.x] / 0.0f", of="block", frameId=frame)
        self.assertEqual((len(block["numbers"]), block["first"], block["numbers"][5]), (64, 0, None))
        self.assertEqual(block["texts"][5], "inf")
        pairs = c.own("lanes", expression="pair", frameId=frame)
        self.assertEqual((pairs["type"], pairs["numbers"][3], pairs["valid"][3]), ("Pair", None, True))
        for arguments, text in [({"expression": "nowhere"}, "nowhere"), ({"expression": "(("}, "."), ({}, "missing"),
                                ({"expression": "i", "of": "grid"}, "block")]:
            with self.assertRaisesRegex(Failed, text):
                c.own("lanes", frameId=frame, **arguments)
        c.end()

    def test_where_everybody_is(self):
        c = self.begin([(line("// odd"), "i == 97")])
        stop = c.stopped()
        all_ = c.own("standing", threadId=stop["threadId"])
        self.assertEqual([all_[key] for key in ("block", "blockIdx", "gridDim", "blockDim")],
                         [1, [1, 0, 0], [3, 1, 1], [64, 1, 1]])
        self.assertEqual([all_[key] for key in ("thread", "threadIdx", "warp", "lane")], [33, [33, 0, 0], 1, 1])
        self.assertEqual({place["line"]: place["lanes"] for place in all_["places"]}[line("// odd")],
                         list(range(1, 32, 2)))
        self.assertEqual(sum(len(place["lanes"]) for place in all_["places"]), 32)
        self.assertEqual(all_["states"], ["at line"] * 32)
        self.assertEqual([(w["first"], w["last"]) for w in all_["warps"]], [(0, 31), (32, 63)])
        self.assertEqual(all_["warps"][1]["atLine"], 32)
        self.assertEqual(c.own("standing", threadId=1)["warp"], 0)
        with self.assertRaisesRegex(Failed, "no thread"):
            c.own("standing", threadId=9)
        c.end()

    def test_the_unit_of_a_step(self):
        c = self.begin([(line("// fill"), "i == 5")])
        thread = c.stopped()["threadId"]
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        for unit in ("thread", "warp", "block"):
            c.request("next", threadId=thread, unit=unit)
            self.assertEqual(c.stopped()["reason"], "step")
        with self.assertRaisesRegex(Failed, "unit"):
            c.request("next", threadId=thread, unit="grid")
        c.end()

    def test_ptx_without_lines(self):
        path = pathlib.Path(self.folder.name) / "plain.ptx"
        path.write_text(".version 7.0\n.target sm_80\n.address_size 64\n"
                        ".visible .entry plain(.param .u64 out) {\n"
                        "  .reg .b64 %p;\n"
                        "  .reg .b32 %v;\n"
                        "  ld.param.u64 %p, [out];\n"
                        "  mov.u32 %v, 42;\n"
                        "  st.global.u32 [%p], %v;\n"
                        "  ret;\n"
                        "}\n")
        c = self.client()
        c.begin(str(path), [9], arguments=[
            {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [1]}}])
        stop = c.stopped()
        frame = c.stack(stop["threadId"])[0]
        self.assertEqual((frame["line"], frame["source"]["path"]), (9, str(path)))
        self.assertEqual(c.value("%v", frame["id"]), "42")
        c.request("next", threadId=1)
        c.stopped()
        self.assertEqual(c.stack(1)[0]["line"], 10)
        self.assertEqual(c.value("*(int*)%p"), "42")
        c.end()

    def test_sources_that_do_not_compile(self):
        path = pathlib.Path(self.folder.name) / "wrong.cu"
        path.write_text("__global__ void wrong() { nothing(); }\n")
        c = self.client()
        c.begin(str(path))
        self.assertEqual(c.ended(), 3)
        self.assertIn("nothing", c.output)
        c.end()

    def test_wrong_requests(self):
        c = self.client()
        with self.assertRaisesRegex(Failed, "initialize"):
            c.request("threads")
        c.request("initialize", adapterID="warplight")
        for arguments, text in [({}, "program"), ({"program": 3}, "must be a text"), ({"program": "none.warplight"}, "none"),
                                ({"program": "x.txt"}, "must be a session"),
                                ({"program": self.program, "threads": "all"}, "warps"),
                                ({"program": self.program, "grid": "much"}, "grid")]:
            with self.assertRaisesRegex(Failed, text):
                c.request("launch", **arguments)
        with self.assertRaisesRegex(Failed, "launch"):
            c.request("configurationDone")
        with self.assertRaisesRegex(Failed, "stands still"):
            c.request("stackTrace", threadId=1)
        with self.assertRaisesRegex(Failed, "running program"):
            c.request("attach")
        c.request("launch", program=self.program, **self.launch)
        with self.assertRaisesRegex(Failed, "launched before"):
            c.request("launch", program=self.program, **self.launch)
        self.assertFalse(c.set_breakpoints("/none/such.cu", [3])[0]["verified"])
        with self.assertRaisesRegex(Failed, "integer"):
            c.request("setBreakpoints", source={"path": self.program}, breakpoints=[{"line": "three"}])
        c.set_breakpoints(self.program, [line("// call")])
        c.request("configurationDone")
        c.stopped()
        for request, arguments in [("stackTrace", {"threadId": 99}), ("scopes", {"frameId": 10**12}),
                                   ("variables", {"variablesReference": 12345}), ("next", {"threadId": -1}),
                                   ("variables", {"variablesReference": 1.5}), ("next", {}), ("source", {"sourceReference": 5}),
                                   ("readMemory", {"memoryReference": "here", "count": 1}),
                                   ("evaluate", {"expression": "(((("}), ("evaluate", {"expression": "x @ moon"})]:
            with self.assertRaises(Failed, msg=request):
                c.request(request, **arguments)
        self.assertEqual(c.end(), 0)

    def test_disconnect_while_a_kernel_runs(self):
        path = pathlib.Path(self.folder.name) / "forever.cu"
        path.write_text('extern "C" __global__ void forever(volatile int* p) {\n    while (!p[0]) {\n    }\n}\n')
        for how in ("disconnect", "close", "terminate"):
            c = self.client()
            c.begin(str(path), arguments=[
                {"name": "p", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [1]}}])
            time.sleep(0.5)  # it compiles, or runs
            begun = time.monotonic()
            if how == "close":
                c.process.stdin.close()
                self.assertEqual(c.process.wait(timeout=20), 0)
            elif how == "terminate":
                c.request("terminate")
                c.wait("terminated")
                c.end()
            else:
                c.end()
            self.assertLess(time.monotonic() - begun, 15)

    def test_the_schema_is_held(self):
        good = {"reason": "step", "threadId": 1}
        check_body("StoppedEvent", good, "stopped")
        for bad in ({}, {**good, "threadId": "1"}, {**good, "reasons": "x"}, {**good, "hitBreakpointIds": 3}):
            with self.assertRaises(AssertionError, msg=bad):
                check_body("StoppedEvent", bad, "stopped")

    def test_nonsense_on_the_stream(self):
        def answer(data):
            done = subprocess.run([CLI, "debug", "--dap"], input=data, stdout=subprocess.PIPE, timeout=60)
            return done.returncode, done.stdout.decode()

        def framed(text):
            return f"Content-Length: {len(text.encode())}\r\n\r\n{text}".encode()

        for data, code, text in [
                (b"", 0, ""), (b"hello\r\n\r\n", 2, "no head"), (b"Content-Length: -5\r\n\r\n{}", 2, "no length"),
                (b"Content-Length: 99999999999999999999\r\n\r\n{}", 2, "no length"),
                (b"Content-Length: 100\r\n\r\n{}", 2, "ends within"), (b"x" * 5000, 2, "too long"),
                (framed("nonsense"), 0, "no JSON"), (framed("[1]"), 0, "must be an object"),
                (framed("[" * 1000), 0, "no JSON"), (framed("{}"), 0, "no request"),
                (framed('{"type": "request", "seq": "1", "command": "initialize"}'), 0, "no request"),
                (framed('{"type": "request", "seq": 1, "command": "fly"}'), 0, "no request 'fly'"),
                (framed('{"type": "request", "seq": 1, "command": "initialize", "arguments": 5}'), 0, "must be an object"),
                (b"content-length : 2\r\nOther: x\r\n\r\n{}", 0, "no request")]:
            returned, said = answer(data)
            self.assertEqual(returned, code, data[:80])
            self.assertIn(text, said, data[:80])


if __name__ == "__main__":
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
