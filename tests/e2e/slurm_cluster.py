"""A Slurm of two nodes on this machine, loopback only, with everything in one folder: for tests of job scripts."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")

DAEMONS = ("munged", "slurmctld", "slurmscriptd", "slurmd")

CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={base}/munge/sock
SlurmctldPort={port}
SrunPortRange={srun_first}-{srun_last}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool/%n
SlurmctldPidFile={base}/ctld.pid
SlurmdPidFile={base}/slurmd.%n.pid
SlurmctldLogFile={base}/log/ctld.log
SlurmdLogFile={base}/log/%n.log
TmpFS={base}/tmp.%n
TaskProlog={base}/task-prolog.sh
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobCompType=jobcomp/filetxt
JobCompLoc={base}/log/jobcomp
MpiDefault=pmix
ReturnToService=2
KillWait=5
SlurmdTimeout=30
SlurmdParameters=config_overrides
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{node_first}-{node_last}] CPUs=2 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Both nodes share one /dev/shm, where Open MPI takes two ranks of one rank number for neighbours.
TASK_PROLOG = """#!/bin/sh
echo export OMPI_MCA_btl=tcp,self
echo export OMPI_MCA_pml=ob1
echo export OMPI_MCA_btl_tcp_if_include=lo
echo export OMPI_MCA_oob_tcp_if_include=lo
echo export OMPI_ALLOW_RUN_AS_ROOT=1
echo export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"""


def missing():
    """What is not installed of the programs that a cluster needs."""
    return [name for name in PROGRAMS if not shutil.which(name, path=search_path())]


def search_path():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"


def free_ports(count):
    """The first of `count` ports in a row that nobody listens on."""
    for first in range(26000 + os.getpid() % 1000, 32000, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise RuntimeError("no free ports")


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    raise TimeoutError(f"{what} did not happen within {seconds} s")


def program_of(pid):
    try:
        return (pathlib.Path("/proc") / str(pid) / "comm").read_text().strip()
    except OSError:
        return ""


class Cluster:
    def __init__(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="noctune-slurm-", dir="/tmp"))
        self.base.chmod(0o755)
        for folder in ("munge", "state", "log", "spool/n1", "spool/n2", "tmp.n1", "tmp.n2"):
            (self.base / folder).mkdir(parents=True)
        for node in ("tmp.n1", "tmp.n2"):
            (self.base / node).chmod(0o1777)
        self.daemons = {}
        first = free_ports(110)
        host = socket.gethostname().split(".")[0]
        user = subprocess.run(["id", "-un"], text=True, capture_output=True, check=True).stdout.strip()
        (self.base / "slurm.conf").write_text(CONFIG.format(
            base=self.base, host=host, user=user, port=first, node_first=first + 1, node_last=first + 2,
            srun_first=first + 10, srun_last=first + 109))
        prolog = self.base / "task-prolog.sh"
        prolog.write_text(TASK_PROLOG)
        prolog.chmod(0o755)
        self.environment = dict(os.environ, SLURM_CONF=str(self.base / "slurm.conf"), PATH=search_path())

    def __enter__(self):
        key = self.base / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        munge = self.base / "munge"
        self.start("munged", ["munged", "--foreground", f"--socket={munge}/sock", f"--key-file={key}", f"--log-file={munge}/log",
                              f"--pid-file={munge}/pid", f"--seed-file={munge}/seed"])
        wait_until((munge / "sock").exists, "munged")
        self.start("slurmctld", ["slurmctld", "-D"])
        for node in ("n1", "n2"):
            self.start_node(node)
        wait_until(lambda: self.output("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2", "two idle nodes")
        return self

    def __exit__(self, *_):
        self.run("scancel", "--full", "--user", str(os.getuid()))
        for daemon in reversed(list(self.daemons.values())):
            daemon.terminate()
            daemon.send_signal(signal.SIGCONT)
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in self.processes():  # steps and jobs that outlived their node
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.base, ignore_errors=True)

    def start(self, name, command):
        self.daemons[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL, start_new_session=True)

    def start_node(self, node):
        self.start(node, ["slurmd", "-D", "-N", node])

    def processes(self):
        """What jobs have started: every process with this cluster's configuration in its environment but the daemons'."""
        wanted = b"SLURM_CONF=" + str(self.base).encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or program_of(entry.name) in DAEMONS:
                continue
            try:
                if wanted in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def programs(self, name):
        return [pid for pid in self.processes() if program_of(pid) == name]

    def expect_empty(self, seconds=30):
        """Nothing that a job started is left."""
        try:
            wait_until(lambda: not self.processes(), "", seconds)
        except TimeoutError:
            left = [f"{pid} {program_of(pid)}" for pid in self.processes()]
            raise TimeoutError("processes are left: " + ", ".join(left)) from None

    def lose_node(self, node):
        """As when a node is cut off: its daemons answer no more, and what they started goes on."""
        lost = self.daemons[node].pid
        for pid in [lost] + self.programs("slurmstepd"):
            os.kill(pid, signal.SIGSTOP)
        self.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=lost")

    def run(self, *command, **more):
        return subprocess.run(command, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)

    def output(self, *command):
        return self.run(*command).stdout

    def submit(self, script, *options, export=None, folder="."):
        export = ",".join(f"{key}={value}" for key, value in (export or {}).items()) or "NONE"
        done = self.run("sbatch", "--parsable", "--partition=p", f"--export={export}", *options, str(script), cwd=folder)
        if done.returncode != 0:
            raise RuntimeError("sbatch: " + done.stdout)
        return done.stdout.strip().split(";")[0]

    def state(self, job):
        """RUNNING, PENDING ... while Slurm knows the job, else how it ended."""
        found = re.search(r"JobState=(\S+)", self.output("scontrol", "show", "job", job))
        if found:
            return found.group(1)
        records = (self.base / "log/jobcomp").read_text() if (self.base / "log/jobcomp").exists() else ""
        found = re.findall(rf"JobId={job} .*?JobState=(\S+)", records)
        return found[-1] if found else "UNKNOWN"

    def wait_for(self, job, *states, seconds=120):
        seen = []
        try:
            return wait_until(lambda: seen.append(self.state(job)) or seen[-1] in states and seen[-1], "", seconds)
        except TimeoutError:
            raise TimeoutError(f"job {job} is {seen[-1]} after {seconds} s, not one of {states}") from None

    def start_now(self, job):
        """Slurm lets a requeued job wait for two minutes; within two seconds of the requeue its credential is refused."""
        time.sleep(2.5)
        self.run("scontrol", "update", f"JobId={job}", "StartTime=now")
