"""What the end-to-end tests share: a small campaign, ways to run noctune, and the tables it leaves."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy
import pandas

SOURCE = pathlib.Path(os.environ["NOCTUNE_SOURCE_DIR"])
NOCTUNE = pathlib.Path(os.environ["NOCTUNE_BINARY_DIR"]) / "bin" / "noctune"

SCALE = """extern "C" void scale(int n, double factor, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = factor * x[i] + y[i];
}
"""
SCALE_SPEC = {
    "spec_version": 1, "entry": "scale",
    "sizes": {"n": {"default": 20000, "min": 10, "max": 10000000, "scale": True}},
    "params": [
        {"name": "n", "type": "int", "value": "n"},
        {"name": "factor", "type": "double", "value": "1.5"},
        {"name": "x", "type": "const double*", "count": "n", "role": "in", "init": "uniform"},
        {"name": "y", "type": "double*", "count": "n", "role": "inout", "init": "uniform"}],
    "cases": [{"name": "time", "sizes": {"n": "auto"}}, {"name": "odd", "sizes": {"n": 131}, "use": "check"}],
}
LOOP = "for (int i = 0; i < n; ++i) y[i] = factor * x[i] + y[i];"
SUM = "for (int i = 0; i < n; ++i) {{ double s = 0; for (int k = 0; k < {0}; ++k) s += x[i] * {1}; y[i] = s + y[i]; }}"
SLOW = SUM.format(320, "(k & 7 ? 0.0 : factor / 40)")
GOOD = SUM.format(40, "(factor / 40)")
ROWSUM = """extern "C" void rowsum(int m, int n, const double* a, double* s) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) s[i] = (j == 0 ? 0.0 : s[i]) + a[i * n + j];
}
"""
ROWSUM_SPEC = {
    "spec_version": 1, "entry": "rowsum",
    "sizes": {"m": {"default": 300, "min": 1, "max": 4000, "scale": True}, "n": {"default": 300, "min": 1, "max": 4000}},
    "params": [
        {"name": "m", "type": "int", "value": "m"},
        {"name": "n", "type": "int", "value": "n"},
        {"name": "a", "type": "const double*", "count": "m*n", "role": "in", "init": "uniform"},
        {"name": "s", "type": "double*", "count": "m", "role": "out"}],
    "cases": [{"name": "time", "sizes": {"m": "auto", "n": "m"}}, {"name": "odd", "sizes": {"m": 13, "n": 7}, "use": "check"}],
    "check": {"depth": "n"},
}


class Workplace:
    """A folder of its own with the small campaign in it. Baselines are most of a test's time: one hotspot where a second
    shows nothing more."""

    def __init__(self, hotspots=2):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="noctune-e2e-"))
        self.write("scale.cpp", SCALE)
        self.write("scale.mep.json", SCALE_SPEC)
        self.write("rowsum.cpp", ROWSUM)
        self.write("rowsum.mep.json", ROWSUM_SPEC)
        self.config = {
            "name": "small",
            "search": {"rounds": 2, "candidates": 2, "repeats": 5, "trim": 1, "confirm_top": 1, "confirm_pairs": 3},
            "mep": {"t_min_ms": 0.05, "s_max_mb": 64},
            "platform": {"flags": ["-O2", "-fopenmp"], "flush_mb": 0},
            "limits": {"run_s": 20},
            "hotspots": [{"name": "scale", "source": "scale.cpp", "mep": "scale.mep.json"},
                         {"name": "rowsum", "source": "rowsum.cpp", "mep": "rowsum.mep.json"}][:hotspots],
        }
        self.save()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        (self.folder / name).write_text(text)

    def save(self):
        self.write("c.json", self.config)

    def lengthen(self):
        """Seconds of search behind the first candidate, for what must happen in the middle of it."""
        self.config["search"].update(rounds=6, patience=6)
        self.save()

    def bring_sure_winner(self, versions=(("good", "arithmetic", GOOD),)):
        """scale with eight times the work it needs, and the answers of a model that sees it: no load hides such a gain."""
        plan = [{"name": name, "mechanism": mechanism, "what": name, "counter": "time", "expected_gain": 8, "risk": "none"}
                for name, mechanism, _ in versions]
        (self.folder / "replies").mkdir()
        self.write("replies/scale.loop.0.1.0.0.plan.md", "```json\n" + json.dumps(plan) + "\n```\n")
        for sample, (_, _, body) in enumerate(versions):
            self.write(f"replies/scale.loop.0.1.{sample}.0.write.md", "summary: it\n\n```cpp\n" + SCALE.replace(LOOP, body) + "```\n")
        self.write("scale.cpp", SCALE.replace(LOOP, SLOW))
        self.config.update(model={"provider": "replay", "replay": "replies"}, proposers=["model"])
        self.config["search"].update(rounds=1, candidates=len(versions), confirm_top=len(versions), repairs=1, repeats=9)
        self.save()

    def run(self, *arguments, launcher=(), timeout=300):
        environment = dict(os.environ, **mpi_environment())
        return subprocess.run([*launcher, NOCTUNE, *arguments], cwd=self.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)

    def tune(self, *arguments, launcher=(), timeout=300):
        return self.run("tune", "c.json", "-o", "r.h5", *arguments, launcher=launcher, timeout=timeout)

    def tables(self, name="r.h5"):
        with h5py.File(self.folder / name, "r") as file:
            return {key: pandas.DataFrame(file[key][:]) for key in file if file[key].dtype.names}

    def attributes(self, name="r.h5"):
        with h5py.File(self.folder / name, "r") as file:
            return {key: value.decode() if isinstance(value, bytes) else value for key, value in file.attrs.items()}

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


def mpi_environment():
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def launcher(ranks):
    return [os.environ["MPIEXEC"], "-n", str(ranks)]


def session_of(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[3])
    except (OSError, IndexError):
        return None


def kill_session(leader):
    """SIGKILL to a job started in a session of its own, all at once, ranks that a launcher put into other groups included."""
    while True:
        pids = [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]
        alive = [pid for pid in pids if session_of(pid) == leader]
        if not [pid for pid in alive if pid != leader]:
            break
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
    try:
        os.kill(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def expect(condition, message, output=None):
    if condition:
        return
    print("FAILED:", message)
    if output is not None:
        print("---- output ----\n" + output)
    sys.exit(1)


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def enum_names(workplace, table, column, name="r.h5"):
    """A column of enums as the words the file itself gives them."""
    with h5py.File(workplace.folder / name, "r") as file:
        words = {number: word for word, number in h5py.check_enum_dtype(file[table].dtype[column]).items()}
        return [words[int(number)] for number in file[table][column]]
