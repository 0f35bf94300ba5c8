# SPDX-License-Identifier: Apache-2.0
"""A client of debug adapters: debugpy's own channel for messages, and the classes that pydevd has generated from the
protocol's JSON schema, which every message of the adapter is held against."""
import inspect
import os
import queue
import subprocess
import threading

from _pydevd_bundle._debug_adapter import pydevd_schema as schema
from debugpy.common import log, messaging

log.stderr.levels = set()
WAIT = 60  # seconds

TYPES = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}


def camel(name):
    return name[0].upper() + name[1:]


def is_of(value, kind):
    if isinstance(kind, list):
        return any(is_of(value, each) for each in kind)
    if kind in ("integer", "number"):
        return isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
    return kind not in TYPES or isinstance(value, TYPES[kind])


def check_value(value, wanted, where):
    kind = wanted.get("type")
    if inspect.isclass(kind):
        kind = kind.__name__
    if isinstance(kind, str) and hasattr(schema, kind):
        return check_object(value, getattr(schema, kind), where)
    assert kind is None or is_of(value, kind), f"{where}: {value!r} is no {kind}"
    values = wanted.get("enum") or wanted.get("_enum")
    assert values is None or value in values, f"{where}: {value!r} is none of {values}"
    if isinstance(value, dict) and "properties" in wanted:
        for name in wanted.get("required", []):
            assert name in value, f"{where}: {name} is missing"
        for name, each in value.items():
            assert name in wanted["properties"], f"{where}: the protocol has no {name} there"
            check_value(each, wanted["properties"][name], f"{where}.{name}")
    items = wanted.get("items")
    if isinstance(value, list) and isinstance(items, dict):
        name = items.get("$ref", "").rsplit("/", 1)[-1]
        for k, each in enumerate(value):
            check_value(each, {"type": name} if name else items, f"{where}[{k}]")


def check_object(value, kind, where):
    """Required members are those without a default in the generated class."""
    if hasattr(kind, "VALID_VALUES"):
        assert value in kind.VALID_VALUES, f"{where}: {value!r} is no {kind.__name__}"
        return
    assert isinstance(value, dict), f"{where}: {value!r} is no {kind.__name__}"
    for name, parameter in inspect.signature(kind.__init__).parameters.items():
        needed = parameter.default is inspect.Parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        if needed and name != "self" and name in kind.__props__:
            assert name in value, f"{where}: {name} of {kind.__name__} is missing"
    for name, each in value.items():
        assert name in kind.__props__, f"{where}: {kind.__name__} has no {name}"
        check_value(each, kind.__props__[name], f"{where}.{name}")


def check_body(name, body, where):
    kind = getattr(schema, name, None)
    assert kind is not None, f"{where}: the protocol has no {name}"
    wanted = kind.__props__.get("body", {})
    check_value(body, wanted, where)


class Failed(Exception):
    """The adapter refuses a request; the text is its own."""


class Client:
    """A process of `warplight-cli debug --dap`, and the events that it sent."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, "debug", "--dap", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=dict(os.environ, WARPLIGHT_SOFTWARE_MEMORY="1G"))
        self.events = queue.Queue()
        self.output = ""
        self.seen = []
        self.problems = []
        self.closed = threading.Event()
        stream = messaging.JsonIOStream.from_process(self.process, "adapter")
        self.channel = messaging.JsonMessageChannel(stream, self)
        self.channel.start()

    # Called by the channel.
    def event(self, event):
        body = dict(event.body) if event.body else {}
        try:
            name = camel(event.event)
            if event.event not in ("initialized", "invalidated"):
                check_body(name + "Event", body, event.event)
        except AssertionError as problem:
            self.problems.append(str(problem))
        self.seen.append(event.event)
        if event.event == "output":
            self.output += body["output"]
        else:
            self.events.put((event.event, body))

    def disconnect(self):
        self.closed.set()

    def request(self, command, **arguments):
        """The body of the answer. Keywords that Python has taken end with _."""
        arguments = {name.rstrip("_"): value for name, value in arguments.items()}
        try:
            body = self.channel.request(command, arguments)
        except messaging.MessageHandlingError as error:
            raise Failed(str(error)) from None
        body = dict(body) if body else {}
        kind = getattr(schema, camel(command) + "Response")
        if "body" in kind.__props__ and isinstance(kind.__props__["body"].get("type"), str):
            check_value(body, kind.__props__["body"], command)
        return body

    def own(self, command, **arguments):
        """The body of the answer to a request that the protocol does not have."""
        try:
            return dict(self.channel.request("warplight/" + command, arguments))
        except messaging.MessageHandlingError as error:
            raise Failed(str(error)) from None

    def wait(self, *names):
        """The next event of one of these names: (name, body)."""
        while True:
            name, body = self.events.get(timeout=WAIT)
            if name in names:
                return name, body

    def begin(self, program, breakpoints=(), **options):
        """From `initialize` to `configurationDone`. Lines, or (line, condition). No program: options have a session."""
        self.capabilities = self.request("initialize", adapterID="warplight", linesStartAt1=True, columnsStartAt1=True,
                                         pathFormat="path")
        self.request("launch", **({"program": program} if program else {}), **options)
        self.wait("initialized")
        if breakpoints:
            self.breakpoints = self.set_breakpoints(options.get("source", program), breakpoints)
        self.request("configurationDone")

    def set_breakpoints(self, path, breakpoints):
        lines = [each if isinstance(each, tuple) else (each, None) for each in breakpoints]
        return self.request("setBreakpoints", source={"path": path}, breakpoints=[
            {"line": line, **({"condition": condition} if condition else {})} for line, condition in lines
        ])["breakpoints"]

    def stopped(self):
        name, body = self.wait("stopped", "terminated")
        assert name == "stopped", f"it has ended: {self.output}"
        return body

    def ended(self):
        """The exit code of the kernel's run."""
        name, body = self.wait("exited", "stopped")
        assert name == "exited", body
        self.wait("terminated")
        return body["exitCode"]

    def stack(self, thread):
        return self.request("stackTrace", threadId=thread)["stackFrames"]

    def variables(self, reference, **range_):
        return {each["name"]: each for each in self.request("variables", variablesReference=reference, **range_)["variables"]}

    def scope(self, frame, name):
        for each in self.request("scopes", frameId=frame)["scopes"]:
            if each["name"] == name:
                return self.variables(each["variablesReference"])
        raise AssertionError(f"there is no scope {name}")

    def value(self, expression, frame=None, context="watch"):
        more = {} if frame is None else {"frameId": frame}
        return self.request("evaluate", expression=expression, context=context, **more)["result"]

    def end(self):
        """Disconnects; the process ends soon and well."""
        if self.process.poll() is None:
            try:
                self.request("disconnect")
            except Failed:
                pass
        code = self.process.wait(timeout=20)
        self.channel.close()
        assert not self.problems, self.problems
        return code
