"""The suites' candidates as recorded answers of a model: good ones are judged right, slow ones are not promoted, wrong ones
are found out. NOCTUNE_SUITE_HOTSPOTS names some of them; all by default."""
import json
import os
import re

from support import SOURCE, Workplace, enum_names, expect, text_of

KINDS = ("good", "slow", "wrong")


def candidates():
    """Folder of the candidates by hotspot, and the spec beside the hotspot."""
    found = {}
    for path in sorted((SOURCE / "hotspots").rglob("candidates")):
        if path.parent.parent.name == "apps":
            found[path.parent.name] = (path, path.parent / f"{path.parent.name}.mep.json")
        else:
            for folder in sorted(path.iterdir()):
                found[folder.name] = (folder, path.parent / f"{folder.name}.mep.json")
    return found


def entry_of(spec):
    return re.search(r'"entry":\s*"(\w+)"', spec.read_text()).group(1)


def write_replies(folder, name, sources):
    plan = [{"name": kind, "mechanism": mechanism, "what": f"the {kind} version", "counter": "time", "expected_gain": 2, "risk": "none"}
            for kind, mechanism in zip(KINDS, ("memory access", "tiling", "arithmetic"))]
    (folder / f"{name}.loop.0.1.0.0.plan.md").write_text("```json\n" + json.dumps(plan) + "\n```\n")
    for sample, kind in enumerate(KINDS):
        text = (sources / f"{kind}.cpp").read_text()
        (folder / f"{name}.loop.0.1.{sample}.0.write.md").write_text(f"summary: {kind}\n\n```cpp\n{text}```\n")


wanted = os.environ.get("NOCTUNE_SUITE_HOTSPOTS", "").split()
with Workplace() as place:
    replies = place.folder / "replies"
    replies.mkdir()
    hotspots = []
    for name, (folder, spec) in candidates().items():
        if wanted and name not in wanted:
            continue
        write_replies(replies, name, folder)
        hotspots.append({"name": name, "source": str(spec).replace(".mep.json", ".cpp"), "entry": entry_of(spec), "mep": str(spec)})
    expect(len(hotspots) == len(wanted) or (not wanted and len(hotspots) >= 10), f"{len(hotspots)} hotspots have candidates")
    place.config = {
        "name": "suites-replay",
        "search": {"rounds": 1, "candidates": 3, "repeats": 9, "trim": 1, "repairs": 0, "confirm_top": 1, "confirm_pairs": 3},
        "mep": {"t_min_ms": 1, "t_max_s": 2, "s_max_mb": 64},
        "model": {"provider": "replay", "replay": str(replies)},
        "proposers": ["model"],
        "hotspots": hotspots,
    }
    place.save()
    done = place.tune(timeout=1500)
    expect(done.returncode == 0, f"exit code {done.returncode}", done.stdout)
    tables = place.tables()
    hotspot = {int(row["id"]): text_of(row["name"]) for _, row in tables["hotspots"].iterrows()}
    kinds = {int(row["id"]): (hotspot[int(row["hotspot"])], KINDS[int(row["index"])])
             for _, row in tables["candidates"].iterrows() if int(row["round"]) > 0}
    screened = [kinds[int(row.candidate)] + (verdict, float(row.speedup)) for row, verdict, purpose in
                zip(tables["evaluations"].itertuples(), enum_names(place, "evaluations", "verdict"), enum_names(place, "evaluations", "purpose"))
                if purpose == "screen" and int(row.candidate) in kinds]
    seen = {(name, kind): (verdict, speedup) for name, kind, verdict, speedup in screened}
    for one in hotspots:
        good, slow, wrong = (seen.get((one["name"], kind), ("nothing", 0)) for kind in KINDS)
        expect(good[0] == "ok", f"{one['name']}: the good version is {good[0]}", done.stdout)
        expect(slow[0] == "ok" and slow[1] < good[1], f"{one['name']}: the slow version is {slow}, the good one {good}", done.stdout)
        expect(wrong[0] in ("wrong_result", "run_failed"), f"{one['name']}: the wrong version is {wrong[0]}", done.stdout)
        print(f"ok {one['name']}: good {good[1]:.2f}, slow {slow[1]:.2f}, wrong {wrong[0]}")
