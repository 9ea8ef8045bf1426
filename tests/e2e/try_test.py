"""`noctune try`: one version through the gates, an account of each, exit codes, nothing left behind."""
import os
import re
import signal
import subprocess
import tempfile

from support import NOCTUNE, SCALE, Workplace, expect, launcher, mpi_environment

# Slower than it need be, so that a version can be faster beyond doubt.
SLOW = SCALE.replace("y[i] = factor * x[i] + y[i];", "{ double s = 0; for (int k = 0; k < 40; ++k) s += x[i] * (k & 1 ? 0.0 : factor / 20); y[i] = s + y[i]; }")
INCLUDE = "#include <cstdlib>\n"


def trial(place, file, *arguments, hotspot="scale", start=()):
    return place.run("try", "c.json", hotspot, file, *arguments, launcher=start)


def said(title, done, code, *lines):
    expect(done.returncode == code, f"{title}: exit code {done.returncode}, wanted {code}", done.stdout)
    for line in lines:
        expect(re.search(line, done.stdout, re.M), f"{title}: '{line}' is not said", done.stdout)
    print("ok", title)


with Workplace() as place:
    place.write("scale.cpp", SLOW)
    place.write("good.cpp", SCALE)
    place.write("wrong.cpp", SLOW.replace("i < n", "i < n - 1"))
    place.write("broken.cpp", SLOW.replace("int i = 0", "int i = undeclared_thing"))
    place.write("crash.cpp", SLOW.replace("for (int i", "*(volatile int*)8 = 1;\n  for (int i", 1))
    place.write("reading.cpp", INCLUDE + SLOW.replace("for (int i", "if (getenv(\"X\")) n = 0;\n  for (int i", 1))
    before = place.files()
    for name, start in (("a good version", ()), ("a good version under mpirun", launcher(2))):
        done = trial(place, "good.cpp", start=start)
        said(name, done, 0, "^Hotspot scale", "noise .* between processes", r"^  tolerance  y in time: ", "^  real gain ",
             "^Version good.cpp", "^  policy +passed$", "^  build +passed +in ", r"^  check +passed +\d+ calls on 2 cases with 3 input seeds",
             r"^  time +passed +time: .* -> .*95 % interval", "^  confirm +passed +3 fresh process pairs", "^Verdict: (faster|slower|indistinguishable): ")
        expect(done.stdout.count("Version good.cpp") == 1, f"{name}: one voice", done.stdout)
    said("a wrong version", trial(place, "wrong.cpp"), 1, "^  build +passed", r"^  check +REFUSED +case .*y\[", "what to do: ",
         "^  time +not reached$", "^  confirm +not reached$", "^Verdict: wrong_result, refused at the gate check$")
    said("one that does not compile", trial(place, "broken.cpp"), 1, "^  build +REFUSED +does not compile: broken.cpp:2:", "undeclared_thing",
         "^  check +not reached$", "^Verdict: build_failed")
    said("one that crashes", trial(place, "crash.cpp"), 1, "^  check +REFUSED .*signal 11", "^Verdict: run_failed")
    said("one that asks the environment", trial(place, "reading.cpp"), 1, "^  policy +REFUSED +uses getenv", "^Verdict: rejected")
    said("flags of its own", trial(place, "good.cpp", "--flags=-funroll-loops -fno-plt"), 0, "^Version good.cpp with -funroll-loops -fno-plt$")
    said("flags that change values", trial(place, "good.cpp", "--flags=-ffast-math"), 2, "-ffast-math changes values")
    said("an unknown hotspot", trial(place, "good.cpp", hotspot="scald"), 2, "scale, rowsum", "did you mean \"scale\"")
    said("a missing file", trial(place, "absent.cpp"), 2, "absent.cpp")
    said("a missing argument", place.run("try", "c.json", "scale"), 2, "file is required")
    said("an unknown key", trial(place, "good.cpp", "--set", "search.round=3"), 2, "did you mean")
    said("a missing compiler", trial(place, "good.cpp", "--set", "platform.compiler=absent-compiler"), 3, "absent-compiler")
    place.write("scale.cpp", SLOW.replace("for (int i", "*(volatile int*)8 = 1;\n  for (int i", 1))
    said("an original that crashes", trial(place, "good.cpp"), 4, "^  REFUSED .*signal 11")
    expect(place.files() == before, f"left {set(place.files()) - set(before)}")

# A signal at any moment ends it in order: the exit code says so and nothing stays behind.
with Workplace() as place, tempfile.TemporaryDirectory() as scratch:
    place.write("good.cpp", SCALE)
    environment = dict(os.environ, **mpi_environment(), TMPDIR=scratch)
    for words, number in (("completing", signal.SIGTERM), ("taking", signal.SIGINT), ("confirming", signal.SIGTERM)):
        process = subprocess.Popen([NOCTUNE, "try", "c.json", "scale", "good.cpp"], cwd=place.folder, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        seen = ""
        for line in process.stdout:
            seen += line
            if words in line:
                break
        process.send_signal(number)
        seen += process.communicate(timeout=60)[0]
        expect(process.returncode == 75, f"stopped while {words}: exit code {process.returncode}", seen)
        expect("stopping: signal" in seen and "Verdict" not in seen, f"stopped while {words}: it says so", seen)
        expect(os.listdir(scratch) == [], f"stopped while {words}: left {os.listdir(scratch)}", seen)
        left = subprocess.run(["pgrep", "-s", str(process.pid)], text=True, capture_output=True).stdout.split()
        expect(not left, f"stopped while {words}: processes {left} outlived it", seen)
        print("ok stopped while", words)
