"""From a tuned campaign to files that stand alone: `noctune export`, then `noctune try` in its folder, without the campaign."""
import json
import re
import shutil
import subprocess

from support import NOCTUNE, Workplace, expect, text_of

with Workplace(hotspots=1) as place:
    place.bring_sure_winner()
    done = place.tune()
    expect(done.returncode == 0, f"tuning ended with {done.returncode}", done.stdout)
    hotspots = place.tables()["hotspots"]
    expect(hotspots["verdict"].iloc[0] == 1, "scale was not made faster", done.stdout)
    done = place.run("export", "r.h5", "scale", "--output", "out")
    expect(done.returncode == 0, f"export ended with {done.returncode}", done.stdout)
    print("ok tuned and exported")

    out = place.folder / "out"
    expect(sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()) ==
           ["README.md", "campaign.json", "mep/mep.json", "mep/original.cpp", "winner.cpp", "winner.patch"],
           "other files were written", done.stdout)
    speedup = f"**{hotspots['standalone_speedup'].iloc[0]:.2f}x**"
    expect(speedup in (out / "README.md").read_text() or hotspots["standalone_speedup"].iloc[0] < 2,
           f"the README does not say {speedup}")
    expect(json.loads((out / "campaign.json").read_text())["hotspots"][0]["name"] == "scale", "another hotspot")
    print("ok files", text_of(hotspots["name"].iloc[0]), speedup)

    if shutil.which("patch"):
        subprocess.run(["patch", "--quiet", "-o", "patched.cpp", "mep/original.cpp", "winner.patch"], cwd=out, check=True)
        expect((out / "patched.cpp").read_text() == (out / "winner.cpp").read_text(), "the patch gives another text")
        print("ok patch")

    # Everything of the campaign goes; the folder alone must do.
    alone = place.folder / "alone"
    shutil.move(out, alone)
    for path in list(place.folder.iterdir()):
        if path != alone:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = subprocess.run([NOCTUNE, "try", "campaign.json", "scale", "winner.cpp"], cwd=alone, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    expect(done.returncode == 0, f"try ended with {done.returncode}", done.stdout)
    expect(re.search(r"^  confirm +passed", done.stdout, re.M), "the winner was not confirmed", done.stdout)
    print("ok measured again:", done.stdout.strip().splitlines()[-1])
