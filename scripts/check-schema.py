# SPDX-License-Identifier: Apache-2.0
"""Every example is a valid session by the JSON Schema in docs/."""
import json
import pathlib
import sys

import jsonschema

root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/session.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
sessions = sorted((root / "resources").glob("*/*/*.warplight"))
failures = 0
for session in sessions:
    for error in validator.iter_errors(json.loads(session.read_text())):
        failures += 1
        print(f"{session.relative_to(root)}: {error.json_path}: {error.message}", file=sys.stderr)
# The schema must also refuse: an empty document and a future version are no sessions.
for wrong in ({}, {"warplight": 999}):
    if validator.is_valid(wrong):
        failures += 1
        print(f"the schema accepts {wrong}", file=sys.stderr)
print(f"{len(sessions)} sessions checked against the schema")
sys.exit(1 if failures or not sessions else 0)
