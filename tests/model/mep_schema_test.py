#!/usr/bin/env python3
"""Validates specs of the repository against docs/mep.schema.json, and sees that it refuses what is none.

Usage: mep_schema_test.py SOURCE_DIR. Exit code 77, a skipped test, where python3-jsonschema is missing.
"""

import copy
import json
import pathlib
import re
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is not installed: skipped")
    sys.exit(77)


def without_comments(text):
    """Comments outside of strings become blanks."""
    pattern = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)


def load(path):
    return json.loads(without_comments(path.read_text(encoding="utf-8")))


BAD = {
    "a key that is not known": lambda spec: spec.update(flop="n"),
    "no entry": lambda spec: spec.pop("entry"),
    "a role that is none": lambda spec: spec["params"][-1].update(role="input"),
    "a parameter that is nothing": lambda spec: spec["params"].append({"name": "q", "type": "int"}),
    "a step of two kinds": lambda spec: spec.update(sequence=[{"swap": ["a", "b"], "zero": "a"}]),
    "a member without a type": lambda spec: spec["params"][-1].update(fields={"x": {"value": 1}}),
    "a tolerance without a reason": lambda spec: spec.update(check={"tolerance": 1e-3}),
}


def main():
    source = pathlib.Path(sys.argv[1])
    schema = json.loads((source / "docs/mep.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    specs = sorted(source.glob("hotspots/**/*.mep.json")) + sorted(source.glob("tests/**/*.mep.json"))
    assert len(specs) > 10, "there are too few specs to tell anything"
    failures = 0
    for path in specs:
        for error in validator.iter_errors(load(path)):
            failures += 1
            print(f"{path.relative_to(source)}: {error.json_path}: {error.message}")
    for what, spoil in BAD.items():
        spec = copy.deepcopy(load(source / "hotspots/gemm.mep.json"))
        spoil(spec)
        if validator.is_valid(spec):
            failures += 1
            print(f"accepted: {what}")
    print(f"{len(specs)} specs, {len(BAD)} that are none: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
