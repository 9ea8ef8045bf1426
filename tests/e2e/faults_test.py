"""Faults of a night that need the real program: ranks stopped and killed, children lost, disks gone, odd launchers, and
starting again and again. Every scenario ends with the same command going on to the end, nothing lost and nothing twice.
Usage: faults_test.py [SCENARIO...]   docs/reliability.md names the scenarios."""
import atexit
import copy
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib

import h5py

from chat_server import ChatServer, scale_answer
from support import NOCTUNE, Workplace, enum_names, expect, launcher, mpi_environment, text_of

LONG = ("--set", "search.rounds=3", "--set", "search.candidates=4", "--set", "search.patience=3")
CANDIDATE = "text=\"candidate "


class Run:
    """A campaign in the background, with its scratch inside the workplace."""

    def __init__(self, place, *arguments, start=(), **environment):
        self.place = place
        self.log = place.folder / "log"
        scratch = place.folder / "tmp"
        scratch.mkdir(exist_ok=True)
        environment = dict(os.environ, TMPDIR=str(scratch), **mpi_environment(), **environment)
        self.begun = time.monotonic()
        with open(self.log, "w") as out:
            self.process = subprocess.Popen([*start, NOCTUNE, "tune", "c.json", "-o", "r.h5", *arguments], cwd=place.folder,
                                            env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        atexit.register(self.clean_up)

    def clean_up(self):
        """After a failed test."""
        if self.process.poll() is None:
            for pid in [self.process.pid] + left_of(self.place):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def output(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, words, seconds=120):
        end = time.monotonic() + seconds
        while words not in self.output():
            expect(self.process.poll() is None, f"it ended before '{words}'", self.output())
            expect(time.monotonic() < end, f"'{words}' was not said within {seconds} s", self.output())
            time.sleep(0.05)

    def end(self, seconds=240):
        """Its exit code and how long it took."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            expect(False, f"it did not end within {seconds} s", self.output())
        return self.process.returncode, time.monotonic() - self.begun

    def evaluators(self):
        """rank -> process, as the pinning map says."""
        return {int(rank): int(pid) for rank, pid in re.findall(r"rank (\d+) on [^ ,]+, process (\d+)", self.output())}


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def helper_of(rank):
    """The sandbox helper that a rank has started."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == rank:
                found.append(int(entry.name))
        except OSError:
            continue
    found = [pid for pid in found if name_of(pid) == "noctune-sandbox"]
    expect(len(found) == 1, f"a rank has one helper: {found}")
    return found[0]


def left_of(place):
    """Processes that know the workplace's scratch: launchers, ranks, compilers, drivers."""
    wanted = str(place.folder / "tmp").encode()
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (wanted in (entry / "cmdline").read_bytes() or wanted in (entry / "environ").read_bytes()):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def expect_none_left(place, name, helpers=()):
    def left():
        return left_of(place) + [pid for pid in helpers if name_of(pid) == "noctune-sandbox"]
    end = time.monotonic() + 15
    while left() and time.monotonic() < end:
        time.sleep(0.05)
    expect(not left(), f"{name}: processes {left()} are left")


def judged(place, results="r.h5"):
    """Evaluations that have a verdict: what was lost is made again."""
    table = place.tables(results)["evaluations"]
    verdicts = enum_names(place, "evaluations", "verdict", results)
    rows = [(int(row.candidate), int(row.purpose), int(row.process), int(row.case))
            for row, verdict in zip(table.itertuples(), verdicts) if verdict != "lost"]
    expect(len(rows) == len(set(rows)), "something was measured twice", str(rows))
    return set(rows)


def committed(place, name):
    done = place.run("rebuild", "r.h5")
    expect(done.returncode == 0, f"{name}: rebuild", done.stdout)
    return judged(place)


def goes_on(place, name, before, *arguments, start=()):
    again = Run(place, *arguments, start=start)
    code, _ = again.end()
    expect(code == 0, f"{name}: the same command goes on, exit code {code}", again.output())
    expect(place.attributes()["status"] == "finished", f"{name}: status", again.output())
    expect(before <= judged(place), f"{name}: something was lost", again.output())


def events(place):
    return [text_of(text) for text in place.tables()["events"]["text"]]


# --- ranks ---
def rank_zero(run):
    ranks = [pid for pid in left_of(run.place) if name_of(pid) == "noctune"]  # MPICH's are in a session of their own
    found = [pid for pid in ranks if pid not in run.evaluators().values()]
    expect(len(found) == 1, f"rank 0 is one process: {found}", run.output())
    return found[0]


def stopped_rank(place):
    run = Run(place, *LONG, start=launcher(3))
    run.wait_for(CANDIDATE)
    stopped = run.evaluators()[1]
    os.kill(stopped, signal.SIGSTOP)
    run.wait_for("says nothing; others take over", 60)
    os.kill(stopped, signal.SIGCONT)
    run.wait_for("answers again", 60)
    code, _ = run.end()
    expect(code == 0, f"a stopped rank: exit code {code}", run.output())
    judged(place)
    told = events(place)
    expect(any("rank 1" in text and "says nothing" in text for text in told), "a stopped rank: who it was", str(told))


def stopped_rank_at_the_end(place):
    run = Run(place, *LONG, start=launcher(3))
    run.wait_for(CANDIDATE)
    os.kill(run.evaluators()[1], signal.SIGSTOP)
    os.kill(rank_zero(run), signal.SIGTERM)
    code, _ = run.end(60)  # 20 s of them for goodbyes
    expect(code == 75, f"a rank that does not leave: exit code {code}", run.output())
    expect_none_left(place, "a rank that does not leave")
    goes_on(place, "a rank that does not leave", judged(place), *LONG, start=launcher(3))


def killed_rank(place):
    run = Run(place, *LONG, start=launcher(3))
    run.wait_for(CANDIDATE)
    victim = run.evaluators()[1]
    expect(victim in left_of(place), "its processes are found", run.output())
    ranks = [rank_zero(run), *run.evaluators().values()]
    helpers = [helper_of(pid) for pid in ranks]
    os.kill(victim, signal.SIGKILL)
    killed = time.monotonic()
    code, _ = run.end(60)
    took = time.monotonic() - killed
    output = run.output()
    expect(code != 0 and took < 15, f"a killed rank: exit code {code} after {took:.1f} s", output)
    # The launcher says who died: by rank (Open MPI) or by process (MPICH), which the pinning map translates. MPICH kills
    # the others at once, and now and then names one of these.
    expect(re.search(rf"rank 1 on \S+, process {victim} ", output), "the pinning map names the process", output)
    named = re.search(r"PID (\d+) RUNNING AT", output)
    expect(int(named.group(1)) in ranks if named else re.search(r"process rank 1\b", output), "it says who", output)
    expect(re.search(r"signal 9|EXIT CODE: 9", output), "it says why", output)
    expect_none_left(place, "a killed rank", helpers)
    goes_on(place, "a killed rank", committed(place, "a killed rank"), *LONG, start=launcher(3))


def killed_rank_zero(place):
    run = Run(place, *LONG, start=launcher(2))
    run.wait_for(CANDIDATE)
    helpers = [helper_of(pid) for pid in (rank_zero(run), *run.evaluators().values())]
    os.kill(rank_zero(run), signal.SIGKILL)
    code, _ = run.end(60)
    expect(code != 0, f"a killed rank 0: exit code {code}", run.output())
    expect_none_left(place, "a killed rank 0", helpers)
    goes_on(place, "a killed rank 0", committed(place, "a killed rank 0"), *LONG, start=launcher(2))


# --- what a rank relies on ---
def killed_helper(place):
    run = Run(place, *LONG)
    run.wait_for(CANDIDATE)
    os.kill(helper_of(run.process.pid), signal.SIGKILL)
    code, _ = run.end()
    expect(code == 0, f"a killed helper: exit code {code}", run.output())
    judged(place)
    expect_none_left(place, "a killed helper")


def compiler_goes_away(place):
    folder = place.folder / "toolchain" / "bin"
    folder.mkdir(parents=True)
    compiler = folder / "cxx"
    compiler.write_text("#!/bin/sh\nexec g++ \"$@\"\n")
    compiler.chmod(0o755)
    place.config["platform"]["compiler"] = str(compiler)
    place.save()
    run = Run(place, *LONG)
    run.wait_for(CANDIDATE)
    compiler.rename(folder / "away")
    code, _ = run.end()
    expect(code == 3, f"a compiler that goes away: exit code {code}", run.output())
    expect("gets no more work" in run.output() and "through no fault of its own" in run.output(), "it says why", run.output())
    before = committed(place, "a compiler that goes away")
    (folder / "away").rename(compiler)
    goes_on(place, "a compiler that goes away", before, *LONG)


def scratch_goes_away(place):
    run = Run(place, *LONG)
    run.wait_for(CANDIDATE)
    for folder in (place.folder / "tmp").glob("noctune-*"):
        for part in folder.iterdir():
            shutil.rmtree(part, ignore_errors=True)
    code, _ = run.end()
    expect(code == 3, f"scratch that goes away: exit code {code}", run.output())
    expect("gets no more work" in run.output() and "scratch folder" in run.output(), "it says why", run.output())
    goes_on(place, "scratch that goes away", committed(place, "scratch that goes away"), *LONG)


def tiny_scratch(place):
    disk = place.folder / "tmp"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        print("not tried: mounting a tmpfs needs root:", end=" ")
        return
    try:
        run = Run(place)
        code, _ = run.end()
    finally:
        subprocess.run(["umount", disk], check=False)
    expect(code in (3, 4), f"scratch of 200 kB: exit code {code}", run.output())
    expect("No space left" in run.output() or "is full" in run.output(), "it says why", run.output())
    goes_on(place, "scratch of 200 kB", set())


def results_disk_full(place):
    disk = place.folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], capture_output=True).returncode != 0:
        print("not tried: mounting a tmpfs needs root:", end=" ")
        return
    try:
        (disk / "filler").write_bytes(bytes(300 << 10))
        done = place.run("tune", "c.json", "-o", "disk/r.h5", *LONG)
        expect(done.returncode in (1, 75), f"a full disk: exit code {done.returncode}", done.stdout)
        expect("No space left" in done.stdout and "free space" in done.stdout, "it says what to do", done.stdout)
        for one in list(disk.iterdir()):
            if one.name != "filler":
                shutil.move(one, place.folder / one.name)
    finally:
        subprocess.run(["umount", disk], check=False)
    goes_on(place, "a full disk", committed(place, "a full disk"), *LONG)


# --- starting and stopping ---
def wrong_launcher(place):
    before = place.files()
    done = subprocess.run([NOCTUNE, "tune", "c.json", "-o", "r.h5"], cwd=place.folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=dict(os.environ, SLURM_STEP_NUM_TASKS="4", **mpi_environment()), timeout=60)
    expect(done.returncode == 2, f"one process of four: exit code {done.returncode}", done.stdout)
    expect("the launcher started 4 processes, but MPI sees only one" in done.stdout and "--mpi=" in done.stdout, "it says why", done.stdout)
    left = set(place.files()) - set(before) - {"r.h5.journal"}
    expect(not left, f"one process of four: left {left}")


def signals_in_a_row(place):
    run = Run(place, *LONG)
    run.wait_for(CANDIDATE)
    run.process.send_signal(signal.SIGUSR1)
    run.wait_for("stopping: signal USR1", 10)
    for number, words in ((signal.SIGTERM, "stopping at once"), (signal.SIGINT, "")):
        if run.process.poll() is None:
            run.process.send_signal(number)
        if run.process.poll() is None and words:
            end = time.monotonic() + 5
            while words not in run.output() and run.process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
    signalled = time.monotonic()
    code, _ = run.end(60)
    expect(code == 75 and time.monotonic() - signalled < 5, f"three signals: exit code {code}", run.output())
    expect_none_left(place, "three signals")
    goes_on(place, "three signals", committed(place, "three signals"), *LONG)


def time_limit(place):
    limit = 10
    run = Run(place, "--set", "search.rounds=100", "--set", "search.patience=100", "--time-limit", f"0:00:{limit}")
    code, took = run.end(60)
    expect(code == 75 and took <= limit, f"a time limit: exit code {code} after {took:.1f} s", run.output())
    expect(place.attributes()["status"] == "stopped", "a time limit: status", run.output())
    before = judged(place)
    # Somebody looks at the results meanwhile: that holds nothing up, and what they look at stays as it is.
    with h5py.File(place.folder / "r.h5", "r") as held:
        rows = len(held["evaluations"])
        goes_on(place, "a time limit", before, *LONG)
        expect(len(held["evaluations"]) == rows, "the file that was open is still whole")
    expect(len(place.tables()["evaluations"]) > rows, "the new one has more")


def no_progress(place):
    for wanted in (75, 1):
        run = Run(place, "--time-limit", "0:00:02")
        code, _ = run.end(60)
        expect(code == wanted, f"without progress: exit code {code}, wanted {wanted}", run.output())
    expect("neither this run nor the one before" in run.output(), "it says why", run.output())
    goes_on(place, "without progress", set())


def ends_at_once(place):
    """The finished campaign started again, alone and under the launcher: within 3 s, and nothing is measured."""
    before = judged(place)
    for start in ([], launcher(3)):
        again = Run(place, start=start)
        code, took = again.end(60)
        expect(code == 0 and took < 3, f"finished, again: exit code {code} after {took:.2f} s", again.output())
        expect("all was done before" in again.output() and CANDIDATE not in again.output(), "nothing is measured", again.output())
        expect(judged(place) == before, "nothing is added", again.output())
        print(f"{len(before)} evaluations, {'3 ranks' if start else 'alone'}: {took:.2f} s", flush=True)


def finished_again(place):
    goes_on(place, "the first run", set())
    ends_at_once(place)


def journal_of(place):
    """The records of the only run so far, and their file."""
    (file,) = (place.folder / "r.h5.journal").glob("*.jsonl")
    return file, [json.loads(line.rsplit("\t", 1)[0]) for line in file.read_text().splitlines()]


def copied(records, n):
    """A measured candidate again as another one: its source, the candidate and its evaluation."""
    text, candidate, evaluation = copy.deepcopy(records)
    text["row"]["content"] += f"// {n}\n"
    text["row"]["sha"] = candidate["row"]["source_sha"] = hashlib.sha256(text["row"]["content"].encode()).hexdigest()
    candidate["row"]["id"] = candidate["row"]["candidate"]["id"] = evaluation["row"]["candidate"] = n
    candidate["row"]["candidate"]["sha"] = hashlib.sha256(text["row"]["sha"].encode()).hexdigest()
    candidate["row"]["index"] = evaluation["row"]["id"] = n
    evaluation["row"]["key"] += f"/{n}"
    evaluation["row"]["key_sha"] = hashlib.sha256(evaluation["row"]["key"].encode()).hexdigest()
    return [text, candidate, evaluation]


def with_many(place, count):
    """Makes the journal hold this many evaluations, by copies of one that was measured."""
    file, records = journal_of(place)
    rows = {table: [one for one in records if one["table"] == table] for table in ("texts", "candidates", "evaluations")}
    evaluation = next(one for one in rows["evaluations"] if one["row"]["purpose"] == "screen")
    candidate = next(one for one in rows["candidates"] if one["row"]["id"] == evaluation["row"]["candidate"])
    text = next(one for one in rows["texts"] if one["row"]["sha"] == candidate["row"]["source_sha"])
    copies = [copied([text, candidate, evaluation], count + n) for n in range(count - len(rows["evaluations"]))]
    records = records[:-1] + sum(copies, []) + records[-1:]
    lines = [json.dumps({**record, "seq": seq}, ensure_ascii=False, separators=(",", ":")) for seq, record in enumerate(records)]
    file.write_text("".join(f"{line}\t{zlib.crc32(line.encode()):08x}\n" for line in lines))


def finished_again_with_many(place):
    """A finished campaign of 1,000 evaluations ends within 3 s, and nothing is measured."""
    goes_on(place, "the first run", set())
    with_many(place, 1000)
    before = committed(place, "with many")
    expect(len(before) >= 1000, f"there are {len(before)} evaluations")
    ends_at_once(place)


def changed_configuration(place):
    few = ("--set", "search.rounds=0")
    goes_on(place, "the first run", set(), *few)
    old = (place.folder / "r.h5").read_bytes()
    other = (*few, "--set", "search.repeats=7")
    done = place.tune(*other)
    expect(done.returncode == 2 and "search.repeats: 5 before, 7 now" in done.stdout and "--force-new" in done.stdout,
           f"other repeats: exit code {done.returncode}", done.stdout)
    done = place.tune(*other, "--force-new")
    expect(done.returncode == 0 and place.attributes("r-2.h5")["status"] == "finished", "--force-new", done.stdout)
    expect((place.folder / "r.h5").read_bytes() == old, "the first file is as it was")
    done = place.tune(*other, "--force-new")
    expect(done.returncode == 0 and "all was done before" in done.stdout, "--force-new goes on with its own", done.stdout)
    expect("r-3.h5" not in place.files(), "and makes no third")
    done = place.tune(*few)
    expect(done.returncode == 0 and "all was done before" in done.stdout, "the first campaign is as it was", done.stdout)


# --- the model ---
def with_model(place, url, **settings):
    place.config["model"] = {"provider": "openai", "base_url": url, "models": ["m"], "local": True, **settings}
    place.config["proposers"] = ["model"]
    place.save()


def endpoint_away(place):
    server = ChatServer(scale_answer)
    server.__exit__()  # its port is free now, and nobody listens
    with_model(place, server.url, retry_s=2)
    done = place.tune()
    expect(done.returncode == 0 and "goes on with rules" in done.stdout, f"nobody listens: exit code {done.returncode}", done.stdout)
    proposers = [text_of(one) for one in place.tables()["candidates"]["proposer"]]
    expect("rules" in proposers, "nobody listens: versions by the rules", str(proposers))


def wrong_key(place):
    with ChatServer(scale_answer, status=401) as server:
        with_model(place, server.url, key_file="key")
        (place.folder / "key").write_text("sk-wrong-key-4711\n")
        (place.folder / "key").chmod(0o600)
        done = place.tune()
        expect(done.returncode == 0 and "goes on with rules" in done.stdout, f"a wrong key: exit code {done.returncode}", done.stdout)
        expect(len(server.requests) <= 3, f"a wrong key: asked {len(server.requests)} times", done.stdout)
        expect("key" in done.stdout and "sk-wrong" not in done.stdout, "it says why, and not the key", done.stdout)


# What depends on the MPI library, and the rest; NOCTUNE_FAULTS chooses.
RANKS = (stopped_rank, stopped_rank_at_the_end, killed_rank, killed_rank_zero, wrong_launcher, finished_again,
         finished_again_with_many)
OTHERS = (killed_helper, compiler_goes_away, scratch_goes_away, tiny_scratch, results_disk_full, signals_in_a_row, time_limit,
          no_progress, changed_configuration, endpoint_away, wrong_key)
SCENARIOS = {"ranks": RANKS, "others": OTHERS}.get(os.environ.get("NOCTUNE_FAULTS"), RANKS + OTHERS)

if __name__ == "__main__":
    for scenario in SCENARIOS:
        if len(sys.argv) < 2 or scenario.__name__ in sys.argv[1:]:
            begun = time.monotonic()
            with Workplace(hotspots=1) as workplace:
                scenario(workplace)
            print(f"ok {scenario.__name__}, {time.monotonic() - begun:.1f} s", flush=True)
