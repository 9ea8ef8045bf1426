"""Bad input: a clear message, exit code 2, nothing written."""
import copy
import json
import os

from support import ROWSUM_SPEC, SCALE, SCALE_SPEC, Workplace, expect


def refused(title, says, change, arguments=(), code=2):
    with Workplace() as place:
        change(place)
        place.save()
        before = place.files()
        done = place.run("tune", "c.json", *(arguments if "-o" in arguments else ["-o", "r.h5", *arguments]))
        expect(done.returncode == code, f"{title}: exit code {done.returncode}, wanted {code}", done.stdout)
        for words in says if isinstance(says, list) else [says]:
            expect(words in done.stdout, f"{title}: the message lacks '{words}'", done.stdout)
        expect(place.files() == before, f"{title}: left {set(place.files()) - set(before)}")
        print("ok", title)


def spec_with(change):
    def apply(place):
        spec = copy.deepcopy(SCALE_SPEC)
        change(spec)
        place.write("scale.mep.json", spec)
    return apply


def set_config(section, key, value):
    return lambda place: place.config.setdefault(section, {}).update({key: value})


refused("missing source", "does not exist", lambda p: p.config["hotspots"][0].update(source="absent.cpp"))
refused("missing spec", "does not exist", lambda p: p.config["hotspots"][0].update(mep="absent.json"))
refused("unknown key", ["unknown key", "did you mean"], set_config("search", "round", 3))
refused("wrong type", "expected an integer", set_config("search", "rounds", "six"))
refused("trim too large", "more than twice", set_config("search", "trim", 3))
refused("entry not found", ["scale.cpp", "scale"], lambda p: p.write("scale.cpp", "extern \"C\" void other() {}\n"))
refused("other signature", ["differs from its spec"],
        lambda p: p.write("scale.cpp", SCALE.replace("const double* x", "const float* x")))
refused("fewer parameters", ["differs from its spec"],
        lambda p: p.write("scale.cpp", SCALE.replace("double factor, ", "").replace("factor * ", "")))
refused("unknown type", ["scale.mep.json", "quaternion"], spec_with(lambda s: s["params"][2].update(type="const quaternion*")))
refused("negative count", ["scale.mep.json"], spec_with(lambda s: s["params"][2].update(count="n-1000000000")))
refused("unknown size", ["scale.mep.json", "m"], spec_with(lambda s: s["params"][2].update(count="m")))
refused("unknown role", ["scale.mep.json"], spec_with(lambda s: s["params"][2].update(role="input")))
refused("missing invariants", ["check.invariants", "absent.cpp", "relative to the spec"],
        spec_with(lambda s: s.setdefault("check", {}).update(invariants="absent.cpp")))
refused("broken spec", ["scale.mep.json", "line"], lambda p: p.write("scale.mep.json", "{ \"entry\": }"))
refused("output folder missing", "absent", lambda p: None, ["-o", "absent/r.h5"])
refused("bad override", "key=value", lambda p: None, ["--set", "search"])
refused("bad time limit", "H:MM:SS", lambda p: None, ["--time-limit", "soon"])

with Workplace() as place:
    done = place.run("tune", "absent.json")
    expect(done.returncode == 2 and "absent.json" in done.stdout, "missing config", done.stdout)
    done = place.run("tune")
    expect(done.returncode == 2, "no config named", done.stdout)
    done = place.run("dance")
    expect(done.returncode == 2, "unknown verb", done.stdout)
    for name, content in (("r.h5", "not HDF5"), ("empty.h5", "")):
        place.write(name, content)
        done = place.run("report", name)
        expect(done.returncode == 2 and name in done.stdout, f"report on {name}", done.stdout)
    done = place.tune()
    expect(done.returncode == 2 and (place.folder / "r.h5").read_text() == "not HDF5", "a foreign file is kept", done.stdout)
    print("ok files of others")

if os.getuid() != 0:
    with Workplace() as place:
        place.folder.chmod(0o555)
        done = place.tune()
        place.folder.chmod(0o755)
        expect(done.returncode == 2, "output not writable", done.stdout)

# A baseline that does not compile or crashes ends its hotspot, not the campaign; when all do, the exit code is 4.
with Workplace() as place:
    place.write("scale.cpp", SCALE.replace("factor * x[i]", "factor * x[i] + undeclared_thing"))
    place.config["hotspots"] = place.config["hotspots"][:1]
    place.save()
    done = place.tune()
    expect(done.returncode in (2, 4), "a baseline that does not compile", done.stdout)
    expect("undeclared_thing" in done.stdout, "the compiler's first error is shown", done.stdout)
    print("ok baseline does not compile")

with Workplace() as place:
    place.write("scale.cpp", SCALE.replace("for (", "*(volatile int*)8 = 1;\n  for (", 1))
    place.save()
    done = place.tune("--set", "search.rounds=1")
    expect(done.returncode == 0, "one bad baseline of two", done.stdout)
    expect("signal 11" in done.stdout, "the crash is said", done.stdout)
    done = place.run("report", "r.h5")
    expect("failed" in done.stdout, "the report says which failed", done.stdout)
    print("ok baseline crashes")

# Results of another campaign are not overwritten.
with Workplace() as place:
    done = place.tune("--set", "search.rounds=0")
    expect(done.returncode == 0, "first campaign", done.stdout)
    place.config["name"] = "another"
    place.config["hotspots"] = place.config["hotspots"][1:]
    place.save()
    os.rename(place.folder / "r.h5.journal", place.folder / "elsewhere")
    before = (place.folder / "r.h5").read_bytes()
    done = place.tune("--set", "search.rounds=0")
    expect(done.returncode == 2, "another campaign's file", done.stdout)
    expect((place.folder / "r.h5").read_bytes() == before, "it was left alone")
    print("ok results of another campaign")
