"""Campaign and relay on one spool, both killed at random times: every slot ends with one answer, none is lost, and
what a relay has received is never asked again. NOCTUNE_SPOOL_KILLS sets the number of kills, NOCTUNE_SPOOL_SEED the
times."""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAMS = pathlib.Path(os.environ["NOCTUNE_BINARY_DIR"]) / "tests" / "bin"
KILLS = int(os.environ.get("NOCTUNE_SPOOL_KILLS", "20"))
SEED = int(os.environ.get("NOCTUNE_SPOOL_SEED", "1"))
SLOTS = 2 * KILLS


def expect(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


class Two:
    """The two sides, each as a process that can be killed and started again."""

    def __init__(self, folder):
        spool, journal, self.log = folder / "spool", folder / "journal", folder / "log"
        self.commands = {"coordinator": [spool, journal, str(SLOTS)], "relay": [spool, self.log, journal]}
        self.errors = open(folder / "errors", "w")
        self.running = {}

    def start(self, side):
        command = [PROGRAMS / ("spool_" + side), *self.commands[side]]
        slow = dict(os.environ, LD_PRELOAD=str(PROGRAMS / "spool_slow_disk.so"))
        self.running[side] = subprocess.Popen(command, stderr=self.errors, env=slow)

    def kill(self, side):
        self.running[side].kill()
        self.running[side].wait()

    def end(self):
        for process in self.running.values():
            if process.poll() is None:
                process.kill()
                process.wait()


def wait_until_asked(two, more):
    """Kills count only while there is work; the log says when it goes on."""
    deadline = time.monotonic() + 20
    seen = asked(two)
    while asked(two) < seen + more and time.monotonic() < deadline and two.running["coordinator"].poll() is None:
        time.sleep(0.01)


def asked(two):
    return two.log.read_text().count("asked ") if two.log.exists() else 0


def disturb(two, chance):
    kills = 0
    for _ in range(KILLS):
        wait_until_asked(two, chance.choice([0, 0, 1, 2]))
        time.sleep(chance.uniform(0, 0.25))
        if two.running["coordinator"].poll() is not None:
            break
        sides = chance.choice([["relay"], ["coordinator"], ["relay", "coordinator"]])
        for side in sides:
            two.kill(side)
        for side in chance.sample(sides, len(sides)):
            two.start(side)
        kills += 1
    return kills


def field(text, key):
    found = re.search(rf"^{key}: (.*)$", text, re.M)
    return found.group(1) if found else ""


def check(folder, kills):
    lines = [line.split() for line in (folder / "journal").read_text().splitlines()]
    slots = [slot for slot, _ in lines]
    expect(len(slots) == len(set(slots)) == SLOTS, f"{SLOTS} slots, {len(slots)} answers of {len(set(slots))} slots")
    log = (folder / "log").read_text().splitlines()
    expect(not [line for line in log if line.startswith("violation")], "asked although answered:\n" + "\n".join(log))
    events = [line.split() for line in log]
    again = 0
    for slot, answer in lines:
        own = [(what, identity) for what, of, identity in events if of == slot]
        expect(("delivered", answer) in own, f"{slot} has an answer that nobody gave")
        after = own[own.index(("delivered", answer)) + 1:]
        expect(not after, f"{slot} was asked again after its answer was received: {own}")
        again += sum(what == "asked" for what, _ in own) - 1
    replies = [(path.name, path.read_text()) for path in sorted((folder / "spool").glob("*/*.txt"))
               if path.parent.name in ("rsp", "done")]
    booked = [(name, int(field(text, "attempts"))) for name, text in replies]
    expect(max(sent for _, sent in booked) <= 2, f"a request was sent more than twice: {booked}")
    for slot in slots:
        asks = sum(what == "asked" and of == slot for what, of, _ in events)
        known = sum(sent for name, sent in booked if name.startswith(slot.replace("/", ".") + "."))
        expect(known >= asks, f"{slot} was sent {asks} times, {known} are booked")
    left = [path.name for place in ("req", "work", "bad", "relays") for path in (folder / "spool" / place).iterdir()]
    expect(not left, f"left behind: {left}")
    given_up = sum(field(text, "outcome") == "transport" for _, text in replies)
    print(f"ok {kills} kills, {SLOTS} slots, {SLOTS + again} requests sent, {given_up} given up and asked anew")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="noctune-spool-"))
    two = Two(folder)
    try:
        two.start("relay")
        two.start("coordinator")
        kills = disturb(two, random.Random(SEED))
        expect(kills == KILLS, f"all was answered after {kills} kills: nothing was tested")
        two.running["coordinator"].wait(timeout=60 + SLOTS)
        expect(two.running["coordinator"].returncode == 0, "the campaign did not end well")
        two.running["relay"].send_signal(signal.SIGTERM)
        expect(two.running["relay"].wait(timeout=20) == 0, "the relay did not end well")
        check(folder, kills)
    finally:
        two.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
