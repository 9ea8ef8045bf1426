"""`noctune integrate`: winners put back into a small application of their own, one of which only the application finds out."""
import copy
import hashlib
import os
import re
import shutil
import signal
import subprocess

from support import GOOD, NOCTUNE, SLOW, Workplace, enum_names, expect, kill_session, mpi_environment, text_of

# Right for the factor of the spec, and for no other: the gates cannot know, the application does.
PLANTED = "for (int i = 0; i < n; ++i) y[i] = 1.5 * x[i] + y[i];"
KERNELS = """// The kernels of a small application.
#include "app.hpp"

namespace {

// y += factor x.
void scale(int n, double factor, const double* x, double* y) {
  %s
}

}  // namespace

void advance(int n, const double* x, double* y) {
  scale(n, 1.25, x, y);
}
""" % SLOW
# The hotspot's loop stands inside a larger function, under other names: no rule knows it.
INLINE = """#include "app.hpp"

// One step of the application.
void advance(int n, const double* x, double* y) {
  const double step = 1.25;
  %s
}
""" % SLOW.replace("factor", "step")
CALL = "  scale_noctune(n, step, x, y);"
EDIT = "The loop becomes a call.\n\n<<<<<<< SEARCH\n  %s\n=======\n%s\n>>>>>>> REPLACE\n"
MAIN = """#include "app.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int n = 20000, steps = 40;
  std::vector<double> x(n, 0.5), y(n, 1.0);
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < steps; ++step) advance(n, x.data(), y.data());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("merit: %.6g\\n", 1e-6 * n * steps / took.count());
  for (double v : y)
    if (std::fabs(v - (1.0 + steps * 0.625)) > 1e-9) return std::puts("self-check: FAILED"), 1;
  std::puts("self-check: passed");
}
"""
MAKEFILE = """app: main.o kernels.o
	g++ $^ -o $@
inline: main.o inline.o
	g++ $^ -o app
%.o: %.cpp app.hpp
	g++ -O2 -c $< -o $@
"""
APPLICATION = {"name": "small-app", "directory": "app", "build": "make", "run": "./app", "runs": 3, "run_s": 20,
               "metric": {"from": "output", "pattern": "merit: ([0-9.eE+-]+)", "better": "higher", "unit": "Mpoint/s"}}
PLACE = {"application": "small-app", "file": "kernels.cpp"}


def make_application(place):
    folder = place.folder / "app"
    folder.mkdir()
    place.write("app/app.hpp", "#pragma once\nvoid advance(int n, const double* x, double* y);\n")
    place.write("app/kernels.cpp", KERNELS)
    place.write("app/unused.cpp", KERNELS)
    place.write("app/inline.cpp", INLINE)
    place.write("app/main.cpp", MAIN)
    place.write("app/Makefile", MAKEFILE)


def state(folder):
    """All of a folder: paths, modes, times, contents."""
    return sorted((str(path.relative_to(folder)), path.stat().st_mode, path.stat().st_mtime_ns,
                   hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
                  for path in folder.rglob("*"))


def integrate(place, *arguments, results="r.h5"):
    done = place.run("integrate", results, *arguments)
    expect(state(place.folder / "app") == before, "the application's folder is as it was", done.stdout)
    return done


def with_config(place, name, results="r.h5", **changes):
    """The same campaign with other places."""
    config = copy.deepcopy(place.config)
    config["applications"][0].update(changes.pop("application", {}))
    config["hotspots"][0]["integrate"].update(changes)
    place.write(name, config)
    return integrate(place, "--config", name, results=results)


def said(title, done, code, *texts):
    expect(done.returncode == code, f"{title}: exit code {done.returncode}, wanted {code}", done.stdout)
    for text in texts:
        expect(text in done.stdout, f"{title}: '{text}' is not said", done.stdout)
    print("ok", title)


with Workplace(hotspots=1) as place:
    make_application(place)
    place.bring_sure_winner((("planted", "memory access", PLANTED), ("good", "arithmetic", GOOD)))
    tuned = place.tune()
    expect(tuned.returncode == 0, "the campaign is tuned", tuned.stdout)
    before = state(place.folder / "app")

    said("a campaign without places", integrate(place), 2, "no hotspot has a place in an application", "--config")
    place.config["applications"] = [APPLICATION]
    place.config["hotspots"][0]["integrate"] = PLACE
    place.save()
    done = integrate(place, "--config", "c.json")
    said("the planted winner is rolled back, the next best one measured", done, 0,
         "not", "rolled back: the run exited with code 1", "self-check: FAILED", "the function scale gets the winner's body",
         "integrated", "used        yes: ", "verdict     faster", "r.h5.patches/scale.patch")

    tables = place.tables()
    placements, runs = tables["placements"], tables["integration"]
    expect(enum_names(place, "placements", "verdict") == ["run_failed", "faster"], "both attempts are recorded", done.stdout)
    expect(enum_names(place, "placements", "used")[1] == "yes", "the new code is used")
    row = placements.iloc[1]
    expect(2 < row["speedup"] < 100 and row["low"] < row["speedup"] < row["high"], f"a speed-up near 14: {row['speedup']}")
    expect(float(tables["hotspots"]["integrated_speedup"][0]) == row["speedup"], "the hotspot has its integrated speed-up")
    mine = runs[runs["placement"] == row["id"]]
    expect(len(mine) == 6 and set(mine["order"]) == {0, 1}, f"six runs in pairs, {len(mine)}")
    texts = {text_of(one) for one in tables["texts"]["sha"]}
    expect(text_of(row["patch_sha"]) in texts, "the patch is stored")

    # The patch is for the user's own tree.
    patch = place.folder / "r.h5.patches" / "scale.patch"
    tree = place.folder / "tree"
    shutil.copytree(place.folder / "app", tree)
    for command in (["git", "init", "-q"], ["git", "apply", str(patch)], ["make", "-s"], ["./app"]):
        result = subprocess.run(command, cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        expect(result.returncode == 0, f"{command}: {result.stdout}", patch.read_text())
    expect("factor / 40)" in (tree / "kernels.cpp").read_text(), "the winner is in the tree")
    print("ok the patch applies with git and passes the self-check")

    said("the places are in the results by now", integrate(place, "scale"), 0, "verdict     faster")
    said("a file outside the build", with_config(place, "unused.json", file="unused.cpp"), 1, "verdict     not_used, rolled back", "used        no: ")
    said("a file that is not there", with_config(place, "absent.json", file="absent.cpp"), 1, "not_placed", "no file absent.cpp")
    said("a build that fails", with_config(place, "build.json", application={"build": "make nothing"}), 1, "original_failed", "No rule to make target")
    said("a run that hangs", with_config(place, "hang.json", application={"run": "sleep 100", "run_s": 0.5}), 1, "original_failed", "the run")
    said("a verify command that is missing", with_config(place, "verify.json", application={"verify": "./no-such-check"}), 1, "original_failed", "command not found")
    metric = dict(APPLICATION["metric"], pattern="tea: ([0-9]+)")
    said("a pattern that finds nothing", with_config(place, "metric.json", application={"metric": metric}), 1, "no line of the output matches")
    metric = {"from": "hdf5", "file": "out.h5", "dataset": "rates", "better": "higher"}
    write = "/usr/bin/python3 -c 'import h5py; h5py.File(\"out.h5\", \"w\")[\"rates\"] = [1.0, 2.5]'"
    said("a figure of merit in HDF5", with_config(place, "hdf5.json", application={"metric": metric, "run": "./app && " + write, "runs": 2}), 0,
         "verdict     indistinguishable")

    # No rule can place it: the model says how, and mends what does not build.
    inline = {"file": "inline.cpp", "application": {"build": "make inline"}}
    shutil.copytree(place.folder / "r.h5.journal", place.folder / "other.h5.journal")  # an absent answer is one, too
    shutil.copy(place.folder / "r.h5", place.folder / "other.h5")
    done = with_config(place, "inline.json", results="other.h5", **inline)
    said("a place that no rule finds, and no answer", done, 1, "not_placed", "no rule can place", "no answer for the slot")
    slots = re.findall(r"slot (scale/loop/0/0/\d+)/0/place", done.stdout)  # each may be said twice
    planted, good = (slot.replace("/", ".") for slot in dict.fromkeys(slots))
    loop = SLOW.replace("factor", "step")
    place.write(f"replies/{planted}.0.place.md", EDIT % (loop, CALL))
    place.write(f"replies/{good}.0.place.md", EDIT % (loop, CALL.replace("step, ", "")))
    place.write(f"replies/{good}.1.place.md", EDIT % (loop, CALL))
    done = with_config(place, "inline.json", **inline)
    said("the model places it, at the second try", done, 0, "self-check: FAILED", "build_failed, rolled back",
         "the model's edits call the winner's entry, 1 place", "used        yes: ", "verdict     faster")
    calls = place.tables()["llm_calls"]
    placing = calls[[text_of(one) == "place" for one in calls["purpose"]]]
    readings = [text_of(one) for one in placing["reading"]]
    expect(any("build_failed" in one for one in readings) and "as asked" in readings, f"what came of the answers: {readings}", done.stdout)
    said("its answers are found again", with_config(place, "inline.json", **inline), 0, "verdict     faster")
    expect(len(place.tables()["llm_calls"]) == len(calls), "and not paid again")

    said("an unknown hotspot", integrate(place, "scald"), 2, "there is no hotspot")
    said("an absent file", place.run("integrate", "none.h5"), 2, "none.h5")
    place.config["hotspots"][0]["integrate"] = {"application": "other", "file": "kernels.cpp"}
    place.save()
    said("an unknown application", integrate(place, "--config", "c.json"), 2, "no application \"other\"")
    place.config["hotspots"][0]["integrate"] = PLACE
    place.save()

    # Killed in the middle, the folder is as it was, and the same command goes through.
    environment = dict(os.environ, **mpi_environment())
    for kill in (True, False):
        process = subprocess.Popen([NOCTUNE, "integrate", "r.h5", "--config", "c.json"], cwd=place.folder, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        seen = ""
        for line in process.stdout:
            seen += line
            if "measuring" in line:
                break
        kill_session(process.pid) if kill else process.send_signal(signal.SIGTERM)
        seen += process.communicate(timeout=60)[0]
        expect(process.returncode == (-9 if kill else 75), f"exit code {process.returncode}", seen)
        expect(state(place.folder / "app") == before, "the application's folder is as it was after a kill", seen)
    said("after a kill and a signal", integrate(place, "--config", "c.json"), 0, "verdict     faster")
