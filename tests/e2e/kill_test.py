"""Stops and kills: what is committed stays, the same command goes on, the file always opens."""
import os
import pathlib
import signal
import subprocess
import time

from support import NOCTUNE, Workplace, expect, launcher, mpi_environment, text_of


def start(place, start_with=()):
    scratch = place.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    environment = dict(os.environ, TMPDIR=str(scratch), **mpi_environment())
    return subprocess.Popen([*start_with, NOCTUNE, "tune", "c.json", "-o", "r.h5"], cwd=place.folder, env=environment,
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)


def wait_for_line(process, words):
    seen = []
    for line in process.stdout:
        seen.append(line)
        if words in line:
            return "".join(seen)
    expect(False, f"'{words}' was never said", "".join(seen))


def evaluations(place):
    table = place.tables()["evaluations"]
    return {(int(row.candidate), int(row.purpose), int(row.process)) for row in table.itertuples()}, len(table)


def codes_of_a_stop(start_with, kill):
    """MPICH's mpiexec (4.0.2) passes SIGUSR1 on and then returns 0 now and then, whatever its ranks return."""
    if not start_with or kill != signal.SIGUSR1:
        return {75}
    version = subprocess.run([start_with[0], "--version"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return {75, 0} if "HYDRA" in version.stdout else {75}


def processes_of(place):
    """Every process that names this place: by its command, as drivers in the scratch folder do, or by its environment."""
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if str(place.folder).encode() in text:
            found.add(int(entry.name))
    return found


for name, start_with, kill in (("SIGTERM alone", [], signal.SIGTERM), ("SIGINT alone", [], signal.SIGINT),
                               ("SIGUSR1 under mpirun", launcher(2), signal.SIGUSR1)):
    with Workplace(hotspots=2 if start_with else 1) as place:
        place.lengthen()
        process = start(place, start_with)
        wait_for_line(process, "candidate ")
        process.send_signal(kill)
        output = process.communicate(timeout=60)[0]
        expect(process.returncode in codes_of_a_stop(start_with, kill), f"{name}: exit code {process.returncode}", output)
        before, rows = evaluations(place)
        expect(place.attributes()["status"] == "stopped", f"{name}: status", str(place.attributes()))
        done = place.tune(launcher=start_with)
        expect(done.returncode == 0, f"{name}: the same command goes on", done.stdout)
        after, total = evaluations(place)
        expect(before <= after and total == len(after), f"{name}: nothing lost, nothing twice", done.stdout)
        print("ok", name)

for name, start_with in (("SIGKILL alone", []), ("SIGKILL of mpirun's whole group", launcher(2))):
    with Workplace(hotspots=2 if start_with else 1) as place:
        place.lengthen()
        process = start(place, start_with)
        wait_for_line(process, "candidate ")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        deadline = time.monotonic() + 10
        while processes_of(place) and time.monotonic() < deadline:
            time.sleep(0.05)
        left = processes_of(place)
        expect(not left, f"{name}: processes {left} outlived it")
        done = place.run("rebuild", "r.h5")
        expect(done.returncode == 0, f"{name}: rebuild", done.stdout)
        before, _ = evaluations(place)
        expect(before, f"{name}: the journal held something")
        done = place.tune(launcher=start_with)
        expect(done.returncode == 0, f"{name}: the same command goes on", done.stdout)
        after, total = evaluations(place)
        expect(before <= after and total == len(after), f"{name}: nothing lost, nothing twice", done.stdout)
        print("ok", name)

with Workplace(hotspots=1) as place:
    place.lengthen()
    process = start(place)
    wait_for_line(process, "candidate ")
    process.send_signal(signal.SIGSTOP)  # it must not get done before the other one has begun
    done = place.tune()
    expect(done.returncode == 2, f"a second copy is refused, exit code {done.returncode}", done.stdout)
    (place.folder / "r.h5.stop").write_text("")
    process.send_signal(signal.SIGCONT)
    output = process.communicate(timeout=60)[0]
    expect(process.returncode == 75, "a stop file stops the run", output)
    print("ok second copy and stop file")
