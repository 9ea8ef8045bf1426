"""The same campaign alone, with one rank and with three: all rows present, every table readable by pandas."""
import json
import subprocess

import h5py

from support import Workplace, enum_names, expect, launcher, text_of

for name, start in (("no mpirun", []), ("-n 1", launcher(1)), ("-n 3", launcher(3))):
    with Workplace() as place:
        done = place.tune(launcher=start)
        expect(done.returncode == 0, f"{name}: exit code {done.returncode}", done.stdout)
        tables = place.tables()
        expect(len(tables["hotspots"]) == 2, f"{name}: two hotspots", str(tables["hotspots"]))
        verdicts = enum_names(place, "hotspots", "verdict")
        expect(all(v in ("faster", "indistinguishable") for v in verdicts), f"{name}: verdicts {verdicts}", done.stdout)
        expect(len(tables["devices"]) == (2 if name == "-n 3" else 1), f"{name}: devices", str(tables["devices"]))
        purposes = enum_names(place, "evaluations", "purpose")
        for purpose in ("baseline", "null", "screen"):
            expect(purpose in purposes, f"{name}: an evaluation with purpose {purpose}", str(purposes))
        expect(len(tables["candidates"]) >= 2 + 4, f"{name}: candidates", str(tables["candidates"]))
        expect(len(tables["samples"]) > 0 and (tables["samples"]["seconds"] > 0).all(), f"{name}: samples")
        ids = set(tables["candidates"]["id"])
        expect(set(tables["evaluations"]["candidate"]) <= ids, f"{name}: evaluations refer to candidates")
        expect(set(tables["samples"]["evaluation"]) <= set(tables["evaluations"]["id"]), f"{name}: samples refer to evaluations")
        expect(set(tables["evaluations"]["device"]) <= set(tables["devices"]["id"]) | {-1}, f"{name}: devices are referred to")
        shas = {text_of(sha) for sha in tables["texts"]["sha"]}
        expect({text_of(sha) for sha in tables["candidates"]["source_sha"]} <= shas, f"{name}: every source is stored")
        attributes = place.attributes()
        expect(attributes["status"] == "finished", f"{name}: status", str(attributes))
        expect(json.loads(attributes["config"])["name"] == "small", f"{name}: the resolved config is stored")
        done = place.run("report", "r.h5")
        expect(done.returncode == 0 and "scale" in done.stdout and "rowsum" in done.stdout, f"{name}: report", done.stdout)
        header = subprocess.run(["h5dump", "-H", place.folder / "r.h5"], text=True, capture_output=True)
        expect(header.returncode == 0 and "evaluations" in header.stdout, f"{name}: h5dump -H", header.stderr)
        done = place.tune(launcher=start)
        expect(done.returncode == 0, f"{name}: the same command again", done.stdout)
        again = place.tables()
        expect(len(again["evaluations"]) == len(tables["evaluations"]), f"{name}: nothing was measured twice", done.stdout)
        print("ok", name)

with Workplace() as place:
    done = place.run("tune", "c.json", "--dry-run", launcher=launcher(3))
    expect(done.returncode == 0 and "Pinning map" in done.stdout and "Forecast" in done.stdout, "dry run", done.stdout)
    expect(done.stdout.count("measures on cpus") == 2, "two evaluators in the pinning map", done.stdout)
    expect("r.h5" not in place.files() and "c.h5" not in place.files(), "a dry run leaves nothing")
    done = place.run("doctor", "c.json")
    expect(done.returncode == 0 and "problem" not in done.stdout, "doctor", done.stdout)
    done = place.run("doctor", "--set", "platform.compiler=absent-compiler", "c.json")
    expect(done.returncode == 3 and "absent-compiler" in done.stdout, "doctor names a missing compiler", done.stdout)
    done = place.tune("--set", "platform.compiler=absent-compiler")
    expect(done.returncode == 3 and "absent-compiler" in done.stdout, "no usable device", done.stdout)
    print("ok dry run and doctor")
