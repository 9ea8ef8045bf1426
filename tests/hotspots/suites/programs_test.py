"""Every host program and mini-application: it builds for the CPU, its self-check passes, its figure of merit is a number, and
a hotspot that does nothing is noticed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["NOCTUNE_SOURCE_DIR"]) / "hotspots"
ENTRY = re.compile(r'extern "C" void (\w+)\(')
failures = []

# Sizes at which a slow core needs less than a second; the other programs take 64.
SMALL = {"eam-energy": 6, "md-force": 6, "lattice-boltzmann": 48, "gauss-seidel": 16}


def make(folder, target, out, *variables):
    command = ["make", "-C", folder, target, f"OUT={out}", f"CXX={os.environ['CXX']}", *variables]
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run(program, name):
    return subprocess.run([program, str(SMALL.get(name, 64)), "2"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, OMP_NUM_THREADS="2"), timeout=120)


def check(condition, what, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output}", flush=True)


def check_right(name, program):
    done = run(program, name)
    check(done.returncode == 0 and "self-check: passed" in done.stdout, f"{name}: exit code {done.returncode}", done.stdout)
    found = re.search(r"^figure of merit: (\S+) \S+$", done.stdout, re.M)
    check(found and float(found.group(1)) > 0, f"{name}: a figure of merit", done.stdout)


def check_idle(name, program):
    done = run(program, name)
    check(done.returncode == 1 and "self-check: FAILED" in done.stdout, f"{name}: a hotspot that does nothing passes", done.stdout)


def host_program(app, name, scratch):
    """Linked by hand the second time: app and frame as they are, the entry empty."""
    out = scratch / name
    done = make(app, name, out)
    check(done.returncode == 0 and "warning" not in done.stdout, f"{name}: builds without warnings", done.stdout)
    if done.returncode != 0:
        return
    check_right(name, out / name)
    entry = ENTRY.search((app.parent / f"{name}.cpp").read_text()).group(1)
    idle = out / "idle.c"
    idle.write_text(f"void {entry}(void) {{}}\n")
    subprocess.run(["cc", "-c", idle, "-o", out / "idle.o"], check=True)
    subprocess.run([os.environ["CXX"], "-fopenmp", out / "idle.o", out / f"{name}.app.o", out / "program.o", "-o", out / "idle"], check=True)
    check_idle(name, out / "idle")


def application(folder, scratch):
    name = folder.name
    done = make(folder / "app", "all", scratch / name)
    check(done.returncode == 0 and "warning" not in done.stdout, f"{name}: builds without warnings", done.stdout)
    if done.returncode == 0:
        check_right(name, scratch / name / name)


with tempfile.TemporaryDirectory(prefix="noctune-programs-") as folder:
    scratch = pathlib.Path(folder)
    count = 0
    for suite in ("polybench", "sdk"):
        for path in sorted((SOURCE / suite / "app").glob("*.cpp")):
            host_program(path.parent, path.stem, scratch / suite)
            count += 1
    for path in sorted((SOURCE / "apps").iterdir()):
        if (path / "app").is_dir():
            application(path, scratch / "apps")
            count += 1
    check(count > 0, "there are programs", "")
    print(f"{count} programs, {len(failures)} failures: {', '.join(failures)}")
sys.exit(1 if failures else 0)
