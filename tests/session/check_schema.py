# SPDX-License-Identifier: Apache-2.0
"""Checks the examples against docs/session.schema.json. Exit code 77: jsonschema is not installed."""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: skipped")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
schema = json.loads((root / "docs/session.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = 0
documents = sorted((root / "resources").glob("*/*/*.warplight"))
for path in documents:
    for error in validator.iter_errors(json.loads(path.read_text())):
        failures += 1
        print(f"{path.relative_to(root)}: {error.json_path}: {error.message}")

# A schema that accepts everything would pass the above.
good = json.loads((root / "resources/examples/saxpy/saxpy.warplight").read_text())
good["warplight"] = 4
good["sweep"] = {
    "vary": [{"name": "block", "values": [[32, 8], "64x4", 256]}, {"name": "define:TILE", "values": [8, 16]},
             {"name": "cooperative", "values": [True, False]}, {"name": "template:2", "values": [8]},
             {"name": "l2", "values": ["warm", "cold"]},
             {"name": "step:2.1.block", "values": [64]}, {"name": "step:f<int>.value:3", "values": [0.5]}],
    "set": [{"name": "grid", "formulas": ["ceil(n/bx)"]}, {"name": "step:2.times", "formulas": ["n"]}],
    "time": "2.1",
    "zip": False, "where": "bx > 1", "sample": 4, "seed": 1, "rounds": 4, "stop_slower": 0, "bytes": "12*n",
    "operations": "2*n",
}
good["notes"] = "# SAXPY"
good["l2"] = "cold"
good["arguments"][3]["expect"] = {"digest": "0123456789abcdef" * 4}
good["exercise"] = {
    "time_limit": 2.5, "hints": ["First"], "required": ["__shared__"], "forbidden": ["asm"],
    "cases": [{"name": "one", "arguments": {"a": {"value": 3}, "x": {"source": {"shape": [10]}}},
               "launch": {"grid": 2}, "checks": ["race"], "points": 2, "time_limit": 1, "hidden": True, "hint": "?"}],
}
good["pipeline"] = {
    "run_as": "graph",
    "steps": [
        {"kind": "launch", "kernel": "saxpy", "arguments": ["x", {"type": "i32", "formula": "round"},
                                                            {"type": "f32", "value": "inf"}],
         "launch": {"grid": [1, 1, 1], "block": 256}, "grid": ["ceil(n/bx)"]},
        {"kind": "loop", "until": "x[0] > 1", "every": 2, "at_most": 9,
         "steps": [{"kind": "copy", "from": "x", "to": "y", "count": 4}, {"kind": "swap", "buffers": ["x", "y"]}]},
        {"kind": "fill", "buffer": "x", "value": 0.5, "start": 3},
    ],
    "frames": {"buffer": "x", "every": 2, "at_most": 10},
}
for error in validator.iter_errors(good):
    failures += 1
    print(f"sweep: {error.json_path}: {error.message}")
damages = {
    "no version": lambda d: d.pop("warplight"),
    "tepid cache": lambda d: d.update(l2="tepid"),
    "future version": lambda d: d.update(warplight=5),
    "direction": lambda d: d["arguments"][0].update(direction="input"),
    "scalar without value": lambda d: d["arguments"][0].pop("value"),
    "array without source": lambda d: d["arguments"][2].pop("source"),
    "kind": lambda d: d["arguments"][2]["source"].update(kind="ones"),
    "shape": lambda d: d["arguments"][2]["source"].update(shape=[-1]),
    "grid": lambda d: d["launch"].update(grid=[1, 1, 1, 1]),
    "tolerance": lambda d: d["arguments"][3]["expect"].update(rtol=-1),
    "device": lambda d: d.update(device="gpu"),
    "repeat": lambda d: d.update(repeat=0),
    "axis": lambda d: d["sweep"]["vary"][0].update(name="color"),
    "axis of a step": lambda d: d["sweep"]["vary"][0].update(name="step:2.arch"),
    "axis without values": lambda d: d["sweep"]["vary"][0].update(values=[]),
    "value of an axis": lambda d: d["sweep"]["vary"][0].update(values=[{}]),
    "setting": lambda d: d["sweep"]["set"][0].update(name="kernel"),
    "digest": lambda d: d["arguments"][3]["expect"].update(digest="1234"),
    "digest with a tolerance": lambda d: d["arguments"][3]["expect"].update(rtol=1e-3),
    "rounds": lambda d: d["sweep"].update(rounds=0),
    "stop_slower": lambda d: d["sweep"].update(stop_slower=0.5),
    "notes": lambda d: d.update(notes={}),
    "exercise without cases": lambda d: d["exercise"].pop("cases"),
    "case without name": lambda d: d["exercise"]["cases"][0].pop("name"),
    "points": lambda d: d["exercise"]["cases"][0].update(points=-1),
    "time limit": lambda d: d["exercise"].update(time_limit=0),
    "key that a case cannot change": lambda d: d["exercise"]["cases"][0]["arguments"]["a"].update(save="x.npy"),
    "formula without expression": lambda d: d["arguments"][2].update(source={"kind": "formula", "shape": [4]}),
    "formula and file": lambda d: d["arguments"][3]["expect"].update(expression="2*x"),
    "struct without fields": lambda d: d["arguments"][0].update(type="struct", value=1),
    "bytes of a struct": lambda d: d["arguments"][0].update(type="struct", value="0x123"),
    "fields without formulas": lambda d: d["arguments"][2].update(source={"kind": "fields", "shape": [4]}),
    "kind of a step": lambda d: d["pipeline"]["steps"][0].update(kind="jump"),
    "value and formula": lambda d: d["pipeline"]["steps"][0]["arguments"][1].update(value=1),
    "loop without an end": lambda d: d["pipeline"]["steps"][1].pop("until"),
    "member without a name": lambda d: d["arguments"][2].update(
        source={"kind": "file", "path": "data.npz", "member": 0}),
    "rate of no sound": lambda d: d["arguments"][3].update(save="y.npy", rate=48000),
    "rate of 0": lambda d: d["arguments"][3].update(save="y.wav", rate=0),
    "raw formula": lambda d: d["arguments"][3].update(expect={"expression": "x", "raw": True}),
    "swap of one": lambda d: d["pipeline"]["steps"][1]["steps"][1].update(buffers=["x"]),
    "no frames": lambda d: d["pipeline"]["frames"].update(at_most=0),
    "texture of a scalar": lambda d: d["arguments"][0].update(texture={"kind": "2d"}),
    "kind of a texture": lambda d: d["arguments"][2].update(texture={"kind": "4d"}),
    "four address modes": lambda d: d["arguments"][2].update(texture={"address": ["wrap"] * 4}),
    "kind of a surface": lambda d: d["arguments"][3].update(surface={"kind": "plane"}),
    "vector of five": lambda d: d["arguments"][0].update(type="float5", value=[1, 2, 3, 4, 5]),
}
# Of the second version.
additions = {
    "formula": lambda d: d["arguments"][2].update(
        source={"kind": "formula", "dtype": "float32", "shape": [1048576], "expression": "sin(2*pi*i/n)"}),
    "expected formula": lambda d: d["arguments"][3].update(expect={"expression": "a*x + y", "rtol": 1e-6}),
    "vector": lambda d: d["arguments"][0].update(type="float4", value=[1, 2.5, "inf", 4]),
    "dim3": lambda d: d["arguments"][0].update(type="dim3", value=[1, 2, 3]),
    "bool": lambda d: d["arguments"][0].update(type="bool", value=True),
    "small float": lambda d: d["arguments"][0].update(type="f8e4m3", value=0.5),
    # Of the third version.
    "struct": lambda d: d.update(warplight=3) or d["arguments"][0].update(type="struct", value={"x": 1, "v": [0, 1]}),
    "bytes": lambda d: d.update(warplight=3) or d["arguments"][0].update(type="struct", value="0x00ff"),
    "structs": lambda d: d.update(warplight=3) or d["arguments"][2].update(
        source={"kind": "zeros", "dtype": "struct", "shape": [4]}),
    "fields": lambda d: d.update(warplight=3) or d["arguments"][2].update(
        source={"kind": "fields", "shape": [4], "fields": {"pos.x": "sin(i)", "mass": 1}}),
    # Of the fourth version.
    "texture": lambda d: d.update(warplight=4) or d["arguments"][2].update(texture={
        "kind": "cubemap", "memory": "array", "filter": "linear", "read": "normalized_float", "srgb": True,
        "normalized_coordinates": True, "address": ["wrap", "border"], "border": [1, 0.5, "inf"], "seamless": True,
        "gather": False, "fourth": 255}),
    "surface": lambda d: d.update(warplight=4) or d["arguments"][3].update(surface={"kind": "2d_layered"}),
    "member": lambda d: d.update(warplight=4) or d["arguments"][2].update(
        source={"kind": "file", "path": "data.npz", "member": "x"}),
    "raw text": lambda d: d.update(warplight=4) or d["arguments"][2].update(
        source={"kind": "file", "path": "letters.txt", "dtype": "uint8", "raw": True}),
    "expected member": lambda d: d.update(warplight=4) or d["arguments"][3].update(
        expect={"path": "data.h5", "member": "group/x"}),
    "expected raw": lambda d: d.update(warplight=4) or d["arguments"][3].update(
        expect={"path": "y.wav", "raw": True}),
    "rate": lambda d: d.update(warplight=4) or d["arguments"][3].update(save="y.WAV", rate=48000),
}
for name, damage in damages.items():
    damaged = copy.deepcopy(good)
    damage(damaged)
    if validator.is_valid(damaged):
        failures += 1
        print(f"accepted although damaged: {name}")
for name, add in additions.items():
    added = copy.deepcopy(good)
    added["warplight"] = 2
    del added["notes"], added["exercise"]
    add(added)
    for error in validator.iter_errors(added):
        failures += 1
        print(f"refused although good: {name}: {error.json_path}: {error.message}")
print(f"{len(documents)} documents, {len(damages)} damaged ones, {len(additions)} of later versions, {failures} failures")
sys.exit(1 if failures or len(documents) < 9 else 0)
