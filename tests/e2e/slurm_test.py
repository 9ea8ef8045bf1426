"""The job scripts under a real Slurm: to the end, warned and requeued, cancelled, two at once,
a rank killed, and fenced off."""
import os
import re
import signal
import subprocess
import sys
import time

import slurm_cluster
from support import NOCTUNE, SOURCE, Workplace, expect, text_of

SKIPPED = 77


def mpi_plugin():
    version = subprocess.run([os.environ["MPIEXEC"], "--version"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "pmi2" if "HYDRA" in version.stdout else "pmix"


def settings(place):
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    return {"PATH": slurm_cluster.search_path(), "HOME": str(place.folder), "XDG_CACHE_HOME": cache,
            "NOCTUNE_HOME": str(SOURCE), "NOCTUNE": str(NOCTUNE), "CAMPAIGN": str(place.folder / "c.json"),
            "RESULTS": str(place.folder / "r.h5"), "LAUNCHER": f"srun --mpi={mpi_plugin()} --cpu-bind=none"}


def submit(cluster, place, *options, script=SOURCE / "jobscripts/cpu.sh", **more):
    export = dict(settings(place), **more)
    return cluster.submit(script, "--nodes=2", "--ntasks=3", "--ntasks-per-node=2", "--time=30",
                          "--output=job-%j.log", *options, export=export, folder=place.folder)


def log(place, job):
    path = place.folder / f"job-{job}.log"
    return path.read_text() if path.exists() else ""


def rows(place, results="r.h5"):
    table = place.tables(results)["evaluations"]
    found = [(int(row.candidate), int(row.purpose), int(row.process)) for row in table.itertuples()]
    return set(found), len(found)


def measuring(place, job):
    """Both hotspots have their baseline and something was judged."""
    return "candidate " in log(place, job)


def check_finished(place, name, job, results="r.h5"):
    expect(place.attributes(results)["status"] == "finished", f"{name}: {place.attributes(results)['status']}", log(place, job))
    found, count = rows(place, results)
    expect(count == len(found), f"{name}: nothing twice", log(place, job))
    return found


def over_two_nodes(cluster, place):
    job = submit(cluster, place)
    state = cluster.wait_for(job, "COMPLETED", "FAILED", "CANCELLED", seconds=240)
    expect(state == "COMPLETED", f"a job over two nodes: {state}", log(place, job))
    whole = check_finished(place, "a job over two nodes", job)
    expect("rank 2" in log(place, job) or "rank  2" in log(place, job), "two evaluators", log(place, job))
    print("ok a job over two nodes", flush=True)


def warned_and_requeued(cluster, place):
    place.lengthen()
    job = submit(cluster, place)
    slurm_cluster.wait_until(lambda: measuring(place, job), "a candidate", 120)
    cluster.run("scancel", "--batch", "--signal=USR1", job)
    cluster.wait_for(job, "PENDING", "REQUEUED", "FAILED", "COMPLETED", seconds=90)
    expect(cluster.state(job) == "PENDING", f"warned: {cluster.state(job)}", log(place, job))
    expect(place.attributes()["status"] == "stopped", "warned: the file is there", log(place, job))
    before, _ = rows(place)
    cluster.start_now(job)
    state = cluster.wait_for(job, "COMPLETED", "FAILED", "CANCELLED", seconds=240)
    expect(state == "COMPLETED", f"requeued: {state}", log(place, job))
    after = check_finished(place, "requeued", job)
    expect(before <= after, "requeued: nothing lost", log(place, job))
    expect("goes back into the queue" in log(place, job) and log(place, job).count("results are in") == 2,
           "requeued: one log", log(place, job))
    print("ok warned, requeued, finished")


def cancelled(cluster, place):
    place.lengthen()
    job = submit(cluster, place)
    slurm_cluster.wait_until(lambda: measuring(place, job), "a candidate", 120)
    begun = time.monotonic()
    cluster.run("scancel", job)
    cluster.wait_for(job, "CANCELLED", seconds=60)
    cluster.expect_empty()
    took = time.monotonic() - begun
    done = place.run("rebuild", "r.h5")
    expect(done.returncode == 0, "cancelled: rebuild", done.stdout)
    before, _ = rows(place)
    expect(before, "cancelled: committed rows are there", log(place, job))
    done = place.tune()
    expect(done.returncode == 0, "cancelled: the same command goes on", done.stdout)
    expect(before <= check_finished(place, "cancelled", job), "cancelled: nothing lost", done.stdout)
    print(f"ok cancelled, gone after {took:.1f} s, resumed without Slurm")


def array_of_two(cluster, place):
    place.write("array.sh", "#!/bin/bash\nRESULTS=$HOME/r$SLURM_ARRAY_TASK_ID.h5\n. $NOCTUNE_HOME/jobscripts/cpu.sh\n")
    array = submit(cluster, place, "--nodes=1", "--ntasks=2", "--array=1-2", "--output=job-%A_%a.log", script=place.folder / "array.sh")
    for i in (1, 2):
        job = f"{array}_{i}"
        state = cluster.wait_for(job, "COMPLETED", "FAILED", "CANCELLED", seconds=300)
        expect(state == "COMPLETED", f"an array of two: {state}", log(place, job))
        check_finished(place, "an array of two", job, f"r{i}.h5")
    print("ok an array of two campaigns")


def lease_holder(place):
    return int(re.search(r'"pid":\s*(\d+)', (place.folder / "r.h5.lease").read_text()).group(1))


def fenced_off(cluster, place):
    place.lengthen()
    job = submit(cluster, place, "--nodes=1", "--ntasks=1", "--ntasks-per-node=1", "--nodelist=n1", LAUNCHER="env")
    slurm_cluster.wait_until(lambda: measuring(place, job), "a candidate", 120)
    old = cluster.programs("noctune")
    expect(old, "the job runs noctune", log(place, job))
    for pid in old:  # it must not get done before the other one has begun
        os.kill(pid, signal.SIGSTOP)
    cluster.lose_node("n1")  # to Slurm it is dead, but what ran there goes on
    cluster.wait_for(job, "PENDING", seconds=90)
    expect(set(old) <= set(cluster.programs("noctune")), "the old copy still runs", log(place, job))
    cluster.run("scontrol", "update", f"JobId={job}", "ReqNodeList=n2")
    cluster.start_now(job)
    slurm_cluster.wait_until(lambda: lease_holder(place) not in old, "the second start", 60)
    for pid in old:
        os.kill(pid, signal.SIGCONT)
    state = cluster.wait_for(job, "COMPLETED", "FAILED", "CANCELLED", seconds=300)
    expect(state == "COMPLETED", f"the second start: {state}", log(place, job))
    check_finished(place, "fenced off", job)
    slurm_cluster.wait_until(lambda: not set(old) & set(cluster.programs("noctune")), "the end of the old copy", 60)
    expect("lost its lease" in log(place, job), "the old copy says why", log(place, job))
    told = [text_of(text) for text in place.tables()["events"]["text"]]
    expect(any("took over the lease" in text for text in told), "the new one says what it did", str(told))
    print("ok a copy on a lost node is fenced off")


def rank_killed(cluster, place):
    """With Open MPI srun ends the step, with MPICH the others go on; both ways the same command finds all that was done."""
    place.lengthen()
    job = submit(cluster, place)
    slurm_cluster.wait_until(lambda: measuring(place, job), "a candidate", 120)
    victim = re.search(r"rank 1 on \S+, process (\d+)", log(place, job))
    expect(victim, "the pinning map names processes", log(place, job))
    os.kill(int(victim.group(1)), signal.SIGKILL)
    state = cluster.wait_for(job, "PENDING", "COMPLETED", "FAILED", "CANCELLED", seconds=300)
    expect(state == "PENDING", f"a killed rank: the job is {state}, not back in the queue", log(place, job))
    cluster.run("scontrol", "hold", job)
    cluster.expect_empty()
    if mpi_plugin() == "pmi2":
        expect("says nothing; others take over" in log(place, job), "the others went on", log(place, job))
    expect(re.search(r"task 1: Killed", log(place, job)), "the log says who was killed", log(place, job))
    done = place.run("rebuild", "r.h5")
    expect(done.returncode == 0, "a killed rank: rebuild", done.stdout)
    before, _ = rows(place)
    done = place.tune()
    expect(done.returncode == 0, "a killed rank: the same command goes on", done.stdout)
    expect(before <= check_finished(place, "a killed rank", job), "a killed rank: nothing lost", done.stdout)
    cluster.run("scancel", job)
    print("ok a killed rank: back in the queue, and nothing lost")


SCALE_MAIN = """#include <cstdio>
#include <cstdlib>
#include <vector>
extern "C" void scale(int n, double factor, const double* x, double* y);
int main() {
  const int n = 20000, steps = 40;
  std::vector<double> x(n, 0.5), y(n);
  for (int step = 0; step < steps; ++step) scale(n, 2.0, x.data(), y.data());
  std::printf("tasks: %s\\n", std::getenv("SLURM_STEP_NUM_TASKS"));
  return std::getenv("SLURM_STEP_ID") && y[7] > steps - 1e-9 && y[7] < steps + 1e-9 ? 0 : 1;
}
"""
INTEGRATE = """#!/bin/bash
"$NOCTUNE" tune c.json -o r.h5 && "$NOCTUNE" integrate r.h5
"""


def integrated(cluster, place):
    place.bring_sure_winner()
    (place.folder / "app").mkdir()
    place.write("app/main.cpp", SCALE_MAIN)
    place.write("app/scale.cpp", (place.folder / "scale.cpp").read_text())
    place.config["hotspots"] = [dict(place.config["hotspots"][0], integrate={"application": "scales", "file": "scale.cpp"})]
    place.config["applications"] = [{"name": "scales", "directory": "app", "build": "g++ -O2 main.cpp scale.cpp -o scales", "run": "./scales",
                                     "launch": "srun --ntasks=1 --mpi=none", "runs": 3, "run_s": 60}]
    place.save()
    place.write("job.sh", INTEGRATE)
    job = cluster.submit(place.folder / "job.sh", "--nodes=1", "--ntasks=1", "--time=10", "--output=job-%j.log",
                         export=settings(place), folder=place.folder)
    state = cluster.wait_for(job, "COMPLETED", "FAILED", "CANCELLED", seconds=300)
    expect(state == "COMPLETED", f"tuned and integrated in one job: {state}", log(place, job))
    runs = place.tables()["integration"]
    expect(len(runs) == 6 and all(runs["verified"] == 1), f"{len(runs)} runs by srun, all verified", log(place, job))
    print("ok an application launched by srun")


SCENARIOS = (over_two_nodes, warned_and_requeued, cancelled, array_of_two, rank_killed, fenced_off, integrated)
chosen = [one for one in SCENARIOS if len(sys.argv) < 2 or one.__name__ in sys.argv[1:]]

missing = slurm_cluster.missing()
if missing:
    print("skipped: not installed:", ", ".join(missing))
    sys.exit(SKIPPED)

with slurm_cluster.Cluster() as cluster:
    for scenario in chosen:
        with Workplace() as place:
            scenario(cluster, place)
