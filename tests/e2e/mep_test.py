"""`noctune init` and `noctune mep`: from sources without a spec to MEPs that a campaign can name."""
import json
import os
import pathlib
import re
import subprocess
import threading
import time

from support import NOCTUNE, Workplace, enum_names, expect, mpi_environment, text_of

AXPY = """extern "C" void axpy(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
"""
# Nobody can tell what `limit` is: the loop's end comes from a function that is declared nowhere.
OPAQUE = """extern "C" void opaque(double* x, const double* y, void* handle) {
  for (int i = 0; i < elements_of(handle); ++i) x[i] += y[i];
}
"""
OPAQUE_ANSWER = """understood: it adds y to x
assumed: the handle only says how many elements there are

```json
{"entry": "opaque_entry", "sizes": {"n": {"default": 20000, "scale": true}},
 "params": [{"name": "n", "type": "int", "value": "n"},
            {"name": "x", "type": "double*", "count": "n", "role": "inout"},
            {"name": "y", "type": "const double*", "count": "n", "role": "in"}]}
```
```cpp
// original.cpp
static int elements_of(void* handle) { return *static_cast<int*>(handle); }
extern "C" void opaque(double* x, const double* y, void* handle) {
  for (int i = 0; i < elements_of(handle); ++i) x[i] += y[i];
}
extern "C" void opaque_entry(int n, double* x, const double* y) { opaque(x, y, &n); }
```
"""


def said(title, done, code, *lines):
    expect(done.returncode == code, f"{title}: exit code {done.returncode}, wanted {code}", done.stdout)
    for line in lines:
        expect(re.search(line, done.stdout, re.M), f"{title}: '{line}' is not said", done.stdout)
    print("ok", title)


def campaign(place, *hotspots, **more):
    place.config["hotspots"] = list(hotspots)
    place.config.update(more)
    place.save()


class Answerer(threading.Thread):
    """Answers a spool: the first answers in their order, then the last one for ever."""

    def __init__(self, spool, answers):
        super().__init__(daemon=True)
        self.spool, self.answers, self.asked = pathlib.Path(spool), list(answers), []
        self.start()

    def run(self):
        seen = set()
        while True:
            for request in sorted(self.spool.glob("req/*.txt")):
                if request.name in seen:
                    continue
                seen.add(request.name)
                self.asked.append(request.read_text())
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                draft = self.spool / "tmp" / ("by-hand-" + request.name)
                draft.write_text(answer)
                os.rename(draft, self.spool / "rsp" / request.name)
            time.sleep(0.05)


with Workplace() as place:
    place.write("axpy.cpp", AXPY)
    place.write("nothing.cpp", "int main() { return 0; }\n")
    said("init without a kernel", place.run("init", "nothing.cpp"), 2, "no kernel was found", "nothing.cpp")
    said("init of a missing file", place.run("init", "absent.cpp"), 2, "absent.cpp")
    done = place.run("init", "axpy.cpp", "scale.cpp", "nothing.cpp")
    said("init", done, 0, r"^axpy \(axpy.cpp\): completed by rules, entry axpy", r"^scale \(scale.cpp\)", "noctune mep campaign.json")
    text = (place.folder / "campaign.json").read_text()
    expect("understood:" in text and "\"kernel\":\"axpy\"" in text, "the campaign says what was understood", text)
    said("init again", place.run("init", "axpy.cpp"), 2, "is there already", "--force")
    said("init by force", place.run("init", "axpy.cpp", "--force"), 0)
    said("what init writes is a campaign", place.run("tune", "campaign.json", "--dry-run"), 0, r"axpy\(int n", "completed by rules")

with Workplace() as place:
    place.write("axpy.cpp", AXPY)
    place.write("opaque.cpp", OPAQUE)
    campaign(place, {"source": "axpy.cpp"}, {"source": "opaque.cpp"})
    done = place.run("mep", "c.json", "-o", "out")
    said("one of two", done, 1, "^Hotspot axpy", "^  completed +by rules", "^  understood ", "^  sizing ", r"^  measured +T_ker .* S_data ",
         "^  files +out/axpy: mep.json, original.cpp", "^Hotspot opaque", "^  REFUSED ", "what helps: a call site", "^1 of 2 MEPs")
    said("one alone", place.run("mep", "c.json", "--hotspot", "axpy", "-o", "out"), 0, "^  files +out/axpy")
    said("what a model would be asked", place.run("prompt", "c.json", "opaque", "--purpose", "complete"), 0, "^=== system ===$", "elements_of",
         "Why rules made no draft")
    said("the other alone", place.run("mep", "c.json", "--hotspot", "opaque"), 2, "opaque.cpp")
    said("an unknown one", place.run("mep", "c.json", "--hotspot", "axpi"), 2, "did you mean \"axpy\"")
    (place.folder / "out" / "axpy" / "mep.json").write_text("// mine\n" + (place.folder / "out" / "axpy" / "mep.json").read_text())
    said("what was corrected by hand", place.run("mep", "c.json", "--hotspot", "axpy", "-o", "out"), 0, "^  kept +mep.json")
    entry = re.search(r'^  (\{"name":"axpy".*\})$', done.stdout, re.M)
    expect(entry, "the hotspot's entry for a campaign is printed", done.stdout)
    campaign(place, json.loads(entry.group(1)))
    said("what mep writes", place.run("mep", "c.json", "-o", "again"), 0, "^  completed +by user")

    # Others go on where one is refused; the table says who completed what.
    campaign(place, {"source": "axpy.cpp"}, {"source": "opaque.cpp"})
    done = place.tune()
    expect(done.returncode == 0, f"a campaign with one refused hotspot: exit code {done.returncode}", done.stdout)
    status = dict(zip(map(text_of, place.tables()["hotspots"]["name"]), enum_names(place, "hotspots", "mep_status")))
    expect(status == {"axpy": "rules", "opaque": "refused"}, f"mep status {status}", done.stdout)
    meps = place.tables()["meps"]
    expect(len(meps) == 1 and text_of(meps["by"][0]) == "rules" and meps["usable"][0] == 1, f"the table meps: {meps}", done.stdout)
    print("ok others go on")

# The model completes what rules cannot; its first answer cannot be read, its second does not compile.
with Workplace() as place:
    place.write("opaque.cpp", OPAQUE)
    campaign(place, {"source": "opaque.cpp"}, proposers=["rules"], search=dict(place.config["search"], rounds=1),
             model={"provider": "spool", "models": ["by-hand"], "spool": "spool"})
    place.config["hotspots"][0]["complete"] = ["rules", "model"]
    place.save()
    for folder in ("req", "work", "rsp", "done", "bad", "relays", "tmp"):
        (place.folder / "spool" / folder).mkdir(parents=True, mode=0o700)
    os.chmod(place.folder / "spool", 0o700)
    answers = Answerer(place.folder / "spool", ["I would rather not.", OPAQUE_ANSWER.replace("static int", "int wrong syntax"), OPAQUE_ANSWER])
    done = place.tune()
    expect(done.returncode == 0, f"completed by the model: exit code {done.returncode}", done.stdout)
    expect(enum_names(place, "hotspots", "mep_status") == ["model"], "mep status", done.stdout)
    expect(text_of(place.tables()["hotspots"]["entry"][0]) == "opaque_entry", "the entry", done.stdout)
    expect(place.tables()["meps"]["answers"][0] == 3, "answers", done.stdout)
    expect("elements_of" in answers.asked[0] and "could not be read" in answers.asked[1] and "error:" in answers.asked[2],
           "what the model was told", "\n".join(answers.asked))
    again = place.tune()
    expect(again.returncode == 0 and len(answers.asked) == 3, f"resumed: asked {len(answers.asked)} times", again.stdout)
    print("ok completed by the model")

# A signal ends it in order.
with Workplace() as place:
    place.write("axpy.cpp", AXPY)
    campaign(place, {"source": "axpy.cpp"})
    process = subprocess.Popen([NOCTUNE, "mep", "c.json"], cwd=place.folder, env=dict(os.environ, **mpi_environment()), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    seen = ""
    for line in process.stdout:
        seen += line
        if "completing axpy" in line:
            break
    process.terminate()
    seen += process.communicate(timeout=60)[0]
    expect(process.returncode == 75, f"stopped: exit code {process.returncode}", seen)
    print("ok stopped")
