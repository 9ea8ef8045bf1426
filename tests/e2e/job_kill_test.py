"""SIGKILL of the whole job at random moments of a replayed campaign: nothing committed is lost, nothing done twice, and
in the end all is as in a run that nobody killed."""
import os
import random
import subprocess
import sys
import time

import h5py

from replayed import COMMAND, TOO_NOISY, bring_campaign, facts, noise_in, remove_results
from support import NOCTUNE, Workplace, expect, kill_session, launcher, mpi_environment, text_of

KILLS = int(os.environ["NOCTUNE_KILLS"])
moments = random.Random(int(os.environ.get("NOCTUNE_KILL_SEED", "1")))


def start(place):
    return subprocess.Popen([*launcher(2), NOCTUNE, *COMMAND, "-o", "r.h5"], cwd=place.folder, text=True, start_new_session=True,
                            env=dict(os.environ, **mpi_environment()), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def killed_after(process, seconds):
    """The output, and whether the job was killed before it ended by itself."""
    try:
        return process.communicate(timeout=seconds)[0], False
    except subprocess.TimeoutExpired:
        kill_session(process.pid)
        return process.communicate()[0], True


def committed(place):
    """What the journal holds, by way of a rebuilt file: evaluations by what they are of, calls by their slot and reply."""
    done = place.run("rebuild", "r.h5")
    expect(done.returncode == 0, "rebuild after a kill", done.stdout)
    tables = place.tables("r.h5")
    evaluations = [(int(row.candidate), int(row.purpose), int(row.process), int(row.case)) for row in tables["evaluations"].itertuples()]
    calls = [(int(row.hotspot), int(row.node), int(row.sample), int(row.repair), text_of(row.purpose), text_of(row.reply_sha))
             for row in tables["llm_calls"].itertuples() if text_of(row.reply_sha)]
    return evaluations, calls


def opens(path):
    if path.exists():
        with h5py.File(path, "r") as file:
            expect("evaluations" in file, f"{path} has no evaluations")


with Workplace() as place:
    bring_campaign(place)
    for attempt in range(5):
        remove_results(place, "whole.h5")
        begun = time.monotonic()
        whole = place.run(*COMMAND, "-o", "whole.h5", launcher=launcher(2))
        expect(whole.returncode == 0, "the run that nobody kills", whole.stdout)
        seconds = time.monotonic() - begun
        if noise_in(whole.stdout) < TOO_NOISY:
            break
    wanted = facts(place, "whole.h5")

    kills = runs = 0
    before = ([], [])
    while True:
        left = moments.uniform(0.02, 0.5) * seconds if kills < KILLS else 600
        process = start(place)
        output, killed = killed_after(process, left)
        opens(place.folder / "r.h5")
        if killed:
            kills += 1
            if not (place.folder / "r.h5.journal").exists():
                continue  # killed before it had begun
            now = committed(place)
            for kind, earlier, later in zip(("evaluations", "calls"), before, now):
                expect(set(earlier) <= set(later), f"kill {kills}: {kind} were lost: {set(earlier) - set(later)}", output)
                expect(len(later) == len(set(later)), f"kill {kills}: {kind} were done twice", output)
            before = now
            continue
        expect(process.returncode == 0, f"after {kills} kills: exit code {process.returncode}", output)
        found = facts(place, "r.h5")
        if noise_in(output) < TOO_NOISY:
            for what in wanted:
                expect(wanted[what] == found[what], f"{what} differ from a run that nobody killed", f"{wanted[what]}\n{found[what]}\n{output}")
            runs += 1
        if kills >= KILLS and runs > 0:
            break
        remove_results(place, "r.h5")
        before = ([], [])
    print("ok", kills, "kills,", runs, "campaigns finished as if nothing had happened")
    sys.exit(0)
