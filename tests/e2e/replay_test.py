"""configs/llm-replay.json twice, and a third time from the first one's results file: the same decisions, verdicts, rows."""
from replayed import COMMAND, TOO_NOISY, bring_campaign, facts, noise_in, remove_results
from support import Workplace, expect

with Workplace() as place:
    bring_campaign(place)
    outputs = []
    for name, more in (("a.h5", []), ("b.h5", []), ("c.h5", ["--set", "model.replay=../a.h5"])):
        for attempt in range(5):
            remove_results(place, name)
            done = place.run(*COMMAND, *more, "-o", name)
            expect(done.returncode == 0, f"{name}: exit code {done.returncode}", done.stdout)
            if noise_in(done.stdout) < TOO_NOISY:
                break
        outputs.append(done.stdout)
    first, second, third = (facts(place, name) for name in ("a.h5", "b.h5", "c.h5"))
    for what in first:
        expect(first[what] == second[what], f"{what} differ between two replays", f"{first[what]}\n{second[what]}\n{outputs[0]}\n{outputs[1]}")
        expect(first[what] == third[what], f"{what} differ when replayed from a results file", f"{first[what]}\n{third[what]}\n{outputs[2]}")
    verdicts = {verdict for _, purpose, verdict in first["evaluations"] if purpose == "screen"}
    for verdict in ("ok", "build_failed", "wrong_result", "rejected"):
        expect(verdict in verdicts, f"a version that ends as {verdict}", str(verdicts))
    expect(any(repaired for _, _, _, _, repaired, _ in first["candidates"]), "a repaired version")
    expect(any(call[3] == "format" for call in first["calls"]), "an answer that was asked for again")
    report = place.run("report", "a.h5").stdout
    expect("faster" in report and "repairs:" in report, "the report", report)
    print("ok", len(first["candidates"]), "candidates,", len(first["calls"]), "calls, verdicts", sorted(verdicts))
