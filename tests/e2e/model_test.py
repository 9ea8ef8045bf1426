"""A model in the loop: over HTTP, with a budget, through a spool that nobody watches, and where its key may be seen."""
import json
import os
import pathlib
import subprocess
import threading
import time

from chat_server import ChatServer, scale_answer
from support import NOCTUNE, Workplace, enum_names, expect, launcher, mpi_environment, text_of

CANARY = "sk-canary-5f1c0e9d7a"


def with_model(place, server, **settings):
    place.config["search"] = {"rounds": 1, "candidates": 2, "repeats": 5, "trim": 1, "confirm_top": 1, "confirm_pairs": 2}
    place.config["model"] = {"provider": "openai", "base_url": server.url, "models": ["asked-1"], "local": True,
                             "prices": {"date": "2026-11-01", "models": {"served-1": {"in": 2, "out": 10},
                                                                         "asked-1": {"in": 2, "out": 10}}}, **settings}
    place.config["proposers"] = ["model"]
    place.save()


def words(place, table, column):
    return [text_of(value) for value in place.tables()[table][column]]


# --- over HTTP: every call, token and cent is in the results ---
with Workplace() as place, ChatServer(scale_answer) as server:
    with_model(place, server)
    done = place.tune()
    expect(done.returncode == 0, "a campaign over HTTP", done.stdout)
    calls = place.tables()["llm_calls"]
    answered = calls[[text_of(outcome) == "ok" for outcome in calls["outcome"]]]
    expect(len(answered) == len(server.requests) >= 6, f"{len(answered)} rows, {len(server.requests)} requests", done.stdout)
    expect(abs(answered["cost"].sum() - len(answered) * (1000 * 2 + 200 * 10) / 1e6) < 1e-12, "the cost is exact", str(answered["cost"]))
    expect(answered["tokens_in"].sum() == 1000 * len(answered), "the tokens are exact")
    expect("model" in words(place, "candidates", "proposer"), "versions by the model", done.stdout)
    report = place.run("report", "r.h5").stdout
    expect("first tries:" in report and "well-formed" in report, "the report tells of the model", report)
    before = len(server.requests)
    done = place.tune()
    expect(done.returncode == 0 and len(server.requests) == before, "the same command asks nothing again", done.stdout)
    print("ok over HTTP")

# --- budget: at the cap it goes on with rules and says so; a later run does not spend it again ---
with Workplace(hotspots=1) as place, ChatServer(scale_answer) as server:
    with_model(place, server, budget={"requests": 1})
    done = place.tune()
    expect(done.returncode == 0, "a campaign with a cap", done.stdout)
    expect(len(server.requests) == 1, f"{len(server.requests)} requests under a cap of 1", done.stdout)
    expect("goes on with rules" in done.stdout, "it says so", done.stdout)
    expect("rules" in words(place, "candidates", "proposer"), "versions by the rules", done.stdout)
    done = place.tune()
    expect(done.returncode == 0 and len(server.requests) == 1, "the cap holds over runs", done.stdout)
    print("ok budget")

# --- a spool that nobody watches: exit 76, an answer by hand, and on ---
with Workplace(hotspots=1) as place:
    place.config["search"] = {"rounds": 1, "candidates": 1, "repeats": 5, "trim": 1, "confirm_top": 1, "confirm_pairs": 2}
    place.config["model"] = {"provider": "spool", "spool": "spool"}
    place.config["proposers"] = ["model"]
    place.save()
    codes, answers = [], 0
    for _ in range(6):
        done = place.tune("--on-wait", "exit")
        codes.append(done.returncode)
        if done.returncode == 0:
            break
        expect(done.returncode == 76, f"exit code {done.returncode}", done.stdout)
        expect("answers of the model are missing" in done.stdout, "it says what is missing", done.stdout)
        for request in (place.folder / "spool" / "req").iterdir():
            text = scale_answer(request.read_text())
            if "summarise" in request.name:
                text = "nothing\n"
            temporary = place.folder / "spool" / "tmp" / request.name
            temporary.write_text(text)
            temporary.rename(place.folder / "spool" / "rsp" / request.name)
            answers += 1
    expect(codes[0] == 76 and codes[-1] == 0, f"exit codes {codes}", done.stdout)
    expect(answers >= 2 and "model" in words(place, "candidates", "proposer"), "answers by hand became versions", done.stdout)
    print("ok spool by hand, exit codes", codes)


# --- the key: in no file, no output, no child, no other rank, not in /proc ---
def watch(root, seen, stop):
    """Looks at the environment, arguments and limits of every process below `root`, again and again."""
    while not stop.is_set():
        for folder in pathlib.Path("/proc").iterdir():
            if not folder.name.isdigit() or int(folder.name) == root:
                continue
            try:
                if not is_below(int(folder.name), root):
                    continue
                command = (folder / "cmdline").read_bytes()
                if not command:
                    continue
                name = command.split(b"\0")[0].decode().rsplit("/", 1)[-1]
                if "noctune" not in name and (name.startswith(("mpi", "orte", "prte", "hydra")) or "python" in name):
                    continue  # launchers keep what the user exported, also in children that are about to become a rank
                content = (folder / "environ").read_bytes() + command
                ready = "noctune" not in name or name == "noctune-sandbox" or b"NOCTUNE_E2E" in content
                seen.setdefault(name, set()).add("key" if CANARY.encode() in content else "clean" if ready else "early")
                if name == "noctune" and "Max core file size        0" in (folder / "limits").read_text():
                    seen[name].add("no core")
            except OSError:
                continue
        time.sleep(0.002)


def is_below(pid, root):
    while pid > 1:
        pid = int((pathlib.Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[1])
        if pid == root:
            return True
    return False


for place_of_key in ("environment", "file"):
    with Workplace(hotspots=1) as place, ChatServer(scale_answer) as server:
        with_model(place, server, **({"key_env": "MODEL_ACCESS"} if place_of_key == "environment" else {"key_file": "secret/key"}))
        environment = dict(os.environ, TMPDIR=str(place.folder), NOCTUNE_E2E="1", **mpi_environment())
        secret = place.folder / "secret"
        secret.mkdir()
        if place_of_key == "environment":
            environment["MODEL_ACCESS"] = CANARY
        else:
            (secret / "key").write_text(CANARY + "\n")
            (secret / "key").chmod(0o600)
        started = time.monotonic()
        process = subprocess.Popen([*launcher(2), NOCTUNE, "tune", "c.json", "-o", "r.h5"], cwd=place.folder, env=environment,
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        seen, stop = {}, threading.Event()
        watcher = threading.Thread(target=watch, args=(process.pid, seen, stop))
        watcher.start()
        output, _ = process.communicate(timeout=300)
        stop.set()
        watcher.join()
        expect(process.returncode == 0, f"a campaign with a key in the {place_of_key}", output)
        sent = {headers.get("authorization", headers.get("Authorization", "")) for headers, _ in server.requests}
        expect(sent == {"Bearer " + CANARY}, "the endpoint was given the key", str(sent))
        expect(CANARY not in output, "the key in the output", output)
        expect("noctune" in seen and "noctune-sandbox" in seen and len(seen) >= 3, "processes were looked at", str(seen))
        expect("no core" in seen["noctune"], "core files are forbidden", str(seen))
        for name, facts in seen.items():
            # A rank has its environment from the launcher until it has read the key, in its first moments.
            allowed = {"noctune"} if place_of_key == "environment" else set()
            expect("key" not in facts or name in allowed, f"the key in {name}", str(seen))
            expect(name not in allowed or "clean" in facts, f"{name} is scrubbed", str(seen))
        for path in place.folder.rglob("*"):
            if path.is_file() and path.parent != secret:
                expect(CANARY.encode() not in path.read_bytes(), f"the key in {path}")
        print("ok key from the", place_of_key, {name: sorted(facts) for name, facts in sorted(seen.items())})
