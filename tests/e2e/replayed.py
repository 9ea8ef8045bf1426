"""The campaign of recorded answers, configs/llm-replay.json, and what of its results does not depend on times."""
import re
import shutil

from support import SOURCE, enum_names, text_of

COMMAND = ["tune", "configs/llm-replay.json", "--set", "search.repeats=9", "--set", "search.confirm_pairs=3"]
# Where the machine is so busy that the original differs from itself by a tenth, a gain of a factor of two does not
# count, and the search rightly goes another way. Such a run is made again.
TOO_NOISY = 10


def bring_campaign(place):
    for folder in ("configs", "hotspots"):
        shutil.copytree(SOURCE / folder, place.folder / folder)


def remove_results(place, name):
    for old in place.folder.glob(name + "*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()


def noise_in(output):
    """In percent; none where the baseline is from an earlier run."""
    found = re.search(r"noise ([0-9.]+) % between", output)
    return float(found.group(1)) if found else 0


def facts(place, name):
    """All that does not depend on times: by place in the search, not by ids, which follow the order of arrival."""
    tables = place.tables(name)
    candidates = tables["candidates"]
    sha = {int(row["id"]): text_of(row["sha"])[:12] for _, row in candidates.iterrows()}
    rows = sorted((int(row["round"]), int(row["index"]), text_of(row["sha"]), sha.get(int(row["base"]), ""),
                   sha.get(int(row["repair_of"]), ""), text_of(row["strategies"])) for _, row in candidates.iterrows())
    evaluations = sorted(zip((sha[int(one)] for one in tables["evaluations"]["candidate"]),
                             enum_names(place, "evaluations", "purpose", name), enum_names(place, "evaluations", "verdict", name)))
    decisions = [re.sub(r"candidate (\d+)", lambda found: sha[int(found.group(1))], text_of(text)) for text in tables["decisions"]["text"]]
    decisions = [re.sub(r"[0-9.]+( times| %)|\[.*?\]", "N", text) for text in decisions]
    decisions = list(dict.fromkeys(decisions))  # a resumed run takes them again
    calls = sorted((int(row["node"]), int(row["sample"]), int(row["repair"]), text_of(row["purpose"]), text_of(row["outcome"]),
                    text_of(row["reading"]), text_of(row["reply_sha"])) for _, row in tables["llm_calls"].iterrows())
    best = sha[int(tables["hotspots"]["best_candidate"][0])]
    return {"candidates": rows, "evaluations": evaluations, "decisions": decisions, "calls": calls, "best": best}
