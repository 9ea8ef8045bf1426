"""The verb `relay`: answers a spool from a folder, says what it does, ends as asked."""
import os
import pathlib
import signal
import subprocess
import time

from support import NOCTUNE, Workplace, expect

COORDINATOR = pathlib.Path(os.environ["NOCTUNE_BINARY_DIR"]) / "tests" / "bin" / "spool_coordinator"
SLOW_DISK = COORDINATOR.with_name("spool_slow_disk.so")


def start_relay(place, *arguments, **environment):
    return subprocess.Popen([NOCTUNE, "relay", "--spool", "spool", *arguments], cwd=place.folder, text=True,
                            env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def wait_for(condition, what):
    deadline = time.monotonic() + 30
    while not condition():
        expect(time.monotonic() < deadline, what)
        time.sleep(0.002)


with Workplace() as place:
    answers = place.folder / "answers"
    answers.mkdir()
    for slot in range(3):
        (answers / f"gemm.loop.0.1.{slot}.0.write.md").write_text(f"answer-{slot}")
    relay = start_relay(place, "--replay", "answers")
    campaign = subprocess.run([COORDINATOR, "spool", "journal", "3"], cwd=place.folder, timeout=60)
    expect(campaign.returncode == 0, "the campaign ends")
    journal = sorted((place.folder / "journal").read_text().splitlines())
    expect(journal == [f"gemm/loop/0/1/{slot}/0/write answer-{slot}" for slot in range(3)], str(journal))
    relay.send_signal(signal.SIGTERM)
    output = relay.communicate(timeout=30)[0]
    expect(relay.returncode == 0, f"SIGTERM ends it with {relay.returncode}", output)
    for words in ("slot=gemm/loop/0/1/0/0/write outcome=ok", "3 answers, 0 failures", "signal TERM"):
        expect(words in output, f"'{words}' is said", output)
    print("ok answers from a folder")

    for _ in range(10):  # asked for as soon as it can be seen, while it still starts
        relay = start_relay(place, "--replay", "answers", LD_PRELOAD=str(SLOW_DISK))
        wait_for(lambda: list((place.folder / "spool" / "relays").glob("*.txt")), "a heartbeat is there")
        (place.folder / "spool" / "STOP").write_text("")
        output = relay.communicate(timeout=30)[0]
        expect(relay.returncode == 0 and "0 answers" in output, "the STOP file ends it", output)
    print("ok stop file")

    done = place.run("relay", "--spool", "spool", "--replay", "answers", "--once", timeout=30)
    expect(done.returncode == 0, "--once ends by itself", done.stdout)
    print("ok once")

    for arguments, words in ((["spool"], "model.provider is missing"), (["spool", "--replay", "nowhere"], "no such file or folder"),
                             (["c.json", "--replay", "answers"], "c.json")):
        done = place.run("relay", "--spool", *arguments, timeout=30)
        expect(done.returncode == 2 and words in done.stdout, f"{arguments}: {done.returncode}", done.stdout)
    print("ok refusals")
