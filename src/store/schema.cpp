#include "store/schema.hpp"

namespace noctune {
namespace {

Column id(std::string name, std::string description) {
  return {std::move(name), ColumnType::int64, "", std::move(description)};
}
Column count(std::string name, std::string description) {
  return {std::move(name), ColumnType::int64, "1", std::move(description)};
}
Column small(std::string name, std::string description) {
  return {std::move(name), ColumnType::int32, "1", std::move(description)};
}
Column number(std::string name, std::string unit, std::string description) {
  return {std::move(name), ColumnType::float64, std::move(unit), std::move(description)};
}
Column text(std::string name, int width, std::string description) {
  return {std::move(name), ColumnType::text, "", std::move(description), width};
}
Column sha(std::string name, std::string description) {
  return text(std::move(name), 64, std::move(description));
}
Column choice(std::string name, std::vector<std::string> names, std::string description) {
  return {std::move(name), ColumnType::enumeration, "", std::move(description), 0, std::move(names)};
}

const std::vector<std::string> backends = {"openmp", "cuda", "hip"};
const std::vector<std::string> arm_names = {"loop", "direct", "sampling", "rules"};
const std::vector<std::string> verdicts = {
    "ok",         "duplicate",   "rejected",     "build_failed", "build_timeout",
    "run_failed", "run_timeout", "wrong_result", "unstable",     "lost"};
const std::string when = "when, seconds since 1970-01-01 UTC";

Table runs() {
  return {"runs",
          "one run of the program; a resumed campaign has several",
          {id("id", "number of the run, from 1 in order of start"),
           text("uuid", 36, "run UUID; the journal file carries it in its name"),
           text("job_id", 32, "Slurm job, empty outside a job"), text("host", 64, "node of the coordinator"),
           text("version", 32, "version of Noctune"),
           sha("fingerprint", "hash of the configuration that decides what is measured"),
           number("started", "s", when),
           number("finished", "s", when + "; for a run that was killed, its last dated record"),
           text("status", 16, "running, finished, stopped, failed, or interrupted when the run never said"),
           count("records", "journal records of this run in the file")}};
}

Table hotspots() {
  return {"hotspots",
          "one hotspot of the campaign and what was found for it",
          {id("id", "hotspot"),
           text("name", 64, "name in the campaign"),
           choice("backend", backends, "programming model"),
           text("entry", 128, "host-callable function that candidates replace"),
           number("share", "1", "part of the application's run time, as configured"),
           choice("mep_status", {"pending", "complete", "failed", "user", "rules", "model", "refused"},
                  "who made the minimal executable program; refused: nobody could; complete and failed: "
                  "what earlier versions wrote for user and refused"),
           number("t_ker", "s", "one call of the original's entry"),
           number("t_overall", "s", "one whole process of the original"),
           number("s_data", "B", "all buffers of the largest timed case"),
           count("batched", "1 when one sample is several calls, 0 when it is one"),
           number("baseline_time", "s", "original in the final confirmation: trimmed mean, first timed case"),
           number("best_time", "s", "best version there"),
           number("standalone_speedup", "1",
                  "original / best, weighted geometric mean over timed cases, confirmed"),
           number("standalone_low", "1", "lower end of its 95 % interval"),
           number("standalone_high", "1", "upper end of its 95 % interval"),
           number("direct_speedup", "1", "speed-up of the direct arm, one unassisted answer"),
           number("integrated_speedup", "1", "speed-up measured inside the application"),
           choice("verdict", {"pending", "faster", "indistinguishable", "slower", "failed"},
                  "outcome of the final confirmation"),
           id("best_candidate", "winning candidate"),
           count("rounds", "rounds finished"),
           text("reason", 256, "why the search stopped or failed")}};
}

Table cases() {
  return {"cases",
          "one set of sizes and data of a hotspot",
          {id("id", "case"), id("hotspot", "hotspot"), text("name", 64, "name in the spec"),
           choice("use", {"time", "check", "report"}, "what the case is for"),
           number("weight", "1", "weight in the geometric mean of speed-ups"),
           text("sizes", 512, "resolved sizes, JSON"),
           number("bytes", "B", "memory traffic of one call, as declared"),
           number("flops", "1", "floating-point operations of one call, as declared")}};
}

Table devices() {
  return {"devices",
          "one device that evaluated, with its toolchain",
          {id("id", "device"), count("rank", "MPI rank that owns it"), text("host", 64, "node"),
           choice("backend", backends, "programming model"), text("name", 128, "model name"),
           text("uuid", 64, "UUID of a GPU"), text("pci", 32, "PCI address of a GPU"),
           text("measure_cpus", 128, "processors for measured processes, as a list"),
           text("build_cpus", 128, "processors for builds, as a list"),
           text("compiler", 128, "compiler command"), text("compiler_version", 128, "its version line"),
           text("driver", 64, "driver version of a GPU"), text("sandbox", 64, "sandbox level reached")}};
}

Table ceilings() {
  return {
      "ceilings",
      "what a device was measured to reach at most",
      {id("run", "run of the program"), id("device", "device"),
       text("name", 64, "read bandwidth by working set, fused multiply-adds by precision"),
       number("value", "as in the column unit", "measured ceiling"), text("unit", 32, "unit of the value")}};
}

Table candidates() {
  return {"candidates",
          "one proposed version",
          {id("id", "candidate"),
           id("hotspot", "hotspot"),
           choice("arm", arm_names, "way of spending the budget"),
           count("replicate", "replicate of the arm"),
           count("node", "node of a tree search"),
           count("round", "round, from 1; 0 for the original"),
           count("index", "place in the round"),
           text("proposer", 32, "original, rules, model or user"),
           text("kind", 64, "mechanism of the change"),
           choice("space", {"library", "generated", "custom"}, "where tunable parameters come from"),
           text("strategies", 256, "names of the changes in order, joined by ' + '"),
           text("hypothesis", 256, "why it should be faster"),
           number("predicted_gain", "1", "speed-up the proposer expects"),
           text("template", 64, "prompt template and version"),
           text("patterns", 256, "names of the patterns it says it used, joined by ', '"),
           text("flags", 256, "flags beyond the campaign's"),
           id("base", "candidate it was derived from"),
           id("repair_of", "failed candidate it repairs"),
           sha("sha", "SHA-256 of source and flags: its identity"),
           sha("source_sha", "its source in /texts"),
           sha("normalised_sha", "SHA-256 of the normalised source"),
           sha("binary_sha", "SHA-256 of its machine code"),
           id("call", "model call that wrote it")}};
}

Table candidate_links() {
  return {"candidate_links",
          "what a candidate was made from",
          {id("candidate", "candidate"), id("other", "the other candidate"),
           choice("relation", {"base", "reference", "crossover"}, "what the other is to it")}};
}

Table evaluations() {
  return {
      "evaluations",
      "one candidate through the gates on one device, a row per timed case (one row if none was timed)",
      {id("id", "this row"),
       id("group", "first row of the evaluation; rows of one evaluation share it"),
       id("run", "run of the program"),
       id("hotspot", "hotspot"),
       id("candidate", "candidate"),
       id("device", "device"),
       id("case", "timed case"),
       choice("purpose", {"baseline", "screen", "check", "confirm", "profile", "null"},
              "why it was evaluated"),
       id("reference", "candidate it was timed against, in the same run"),
       count("process", "fresh process pair, from 0"),
       sha("key", "SHA-256 of what makes it the same evaluation"),
       text("flags", 128, "remarks such as batched"),
       choice("verdict", verdicts, "outcome of the gates"),
       text("message", 256, "what happened and where"),
       number("started", "s", when),
       number("build_seconds", "s", "building; stage seconds stand in the first row of an evaluation only"),
       number("check_seconds", "s", "checking"),
       number("time_seconds", "s", "timing"),
       number("wait_seconds", "s", "waiting for a device or its cores"),
       number("busy_seconds", "s",
              "device at work since its last answer; unlike the others it never overlaps"),
       number("trimmed_mean", "s", "candidate, per call"),
       number("median", "s", "candidate, per call"),
       number("minimum", "s", "candidate, per call"),
       number("reference_trimmed_mean", "s", "reference, per call, same run"),
       number("speedup", "1", "reference / candidate on this case"),
       number("interval_low", "1", "lower end of its 95 % interval"),
       number("interval_high", "1", "upper end of its 95 % interval"),
       number("total_speedup", "1", "weighted geometric mean over the evaluation's timed cases"),
       number("total_low", "1", "lower end of its 95 % interval"),
       number("total_high", "1", "upper end of its 95 % interval"),
       number("spread", "1",
              "standard deviation of log ratios of the original against itself in fresh process pairs there"),
       number("solo_ratio", "1", "reference beside the candidate over reference alone, medians"),
       number("drift", "1", "log ratio of the reference's second half of samples to its first"),
       count("disturbed", "samples during which the kernel switched to other work"),
       count("checked_calls", "calls whose outputs were compared in the check"),
       number("max_error", "1", "largest norm-wise relative error over outputs and cases"),
       number("tolerance", "1", "bound the error was held to"),
       text("error_norm", 64, "output with the largest error"),
       count("deterministic", "1 when repeats agreed bit by bit, else 0"),
       count("registers", "registers a thread"),
       number("shared", "B", "shared memory a block"),
       number("spills", "B", "spilled registers a thread"),
       number("energy", "J", "of the device for a call, beyond what it takes idle"),
       number("reference_energy", "J", "the same of the reference"),
       sha("binary_sha", "SHA-256 of its machine code"),
       sha("diagnostics_sha", "its diagnostics in /texts")}};
}

Table samples() {
  return {
      "samples",
      "one timed sample",
      {id("evaluation", "row of /evaluations"),
       choice("side", {"reference", "candidate"}, "which of the two was measured"),
       small("pair", "number of the sample on its side, from 0"),
       small("order", "turn in which it was taken, over both sides, from 0"),
       small("batch", "calls of the entry in the sample"), small("input_set", "rotated input set"),
       number("seconds", "s", "per call"),
       small("disturbed", "1 when the kernel switched to other work meanwhile: left out of the statistics"),
       number("clock", "Hz", "device clock during the sample"),
       small("throttle", "throttle reasons, bits of the vendor's library")}};
}

Table params() {
  return {"params",
          "tunable values of a candidate, or launch shapes of an evaluation",
          {id("candidate", "candidate"), id("evaluation", "row of /evaluations"),
           text("name", 64, "parameter"), text("value", 64, "its value")}};
}

Table profiles() {
  return {"profiles",
          "one counter of a profiled evaluation",
          {id("evaluation", "row of /evaluations"), text("metric", 96, "name of the counter"),
           number("value", "as in the column unit", "its value"), text("unit", 32, "unit of the value")}};
}

Table llm_calls() {
  return {"llm_calls",
          "one call of the language model",
          {id("id", "call"),
           id("hotspot", "hotspot"),
           choice("arm", arm_names, "way of spending the budget"),
           count("replicate", "replicate of the arm"),
           count("node", "round or node of the search"),
           count("sample", "sample in the node"),
           count("repair", "repair attempt, 0 for a first answer"),
           text("purpose", 32, "plan, write, repair, format, summarise, complete, place"),
           text("provider", 64, "endpoint"),
           text("model_asked", 96, "model in the request"),
           text("model_served", 96, "model in the reply"),
           text("template", 64, "prompt template and version"),
           text("parameters", 256, "request parameters, JSON"),
           sha("prompt_sha", "rendered prompt in /texts"),
           sha("reply_sha", "reply in /texts"),
           count("tokens_in", "prompt tokens"),
           count("tokens_cached", "of them read from the provider's cache"),
           count("tokens_out", "reply tokens"),
           count("tokens_reasoning", "of them reasoning"),
           number("cost", "campaign currency", "price of the call"),
           number("seconds", "s", "from sending to the end"),
           text("outcome", 32, "ok, refused, truncated ...; sent: no answer was received"),
           text("message", 256, "what went wrong, in words"),
           text("reading", 256, "what reading the answer found: as asked, mended, refused and why"),
           count("estimated", "1 when the tokens are an estimate, the provider did not say"),
           count("attempts", "requests sent"),
           number("sent", "s", when)}};
}

Table arms() {
  return {"arms",
          "what one way of spending the budget made of one hotspot",
          {id("id", "arm of a hotspot"), id("hotspot", "hotspot"),
           choice("arm", arm_names, "way of spending the budget"), count("replicate", "replicate of the arm"),
           choice("verdict", {"pending", "faster", "indistinguishable", "slower", "failed"},
                  "outcome of its confirmation"),
           id("best_candidate", "its winner, the original without a gain"),
           number("speedup", "1", "original / winner, confirmed; 1 without a gain"),
           number("low", "1", "lower end of its 95 % interval"),
           number("high", "1", "upper end of its 95 % interval"), count("candidates", "versions tried"),
           count("calls", "model calls answered"), count("tokens", "prompt and reply tokens"),
           number("cost", "campaign currency", "price of its calls"),
           number("device_seconds", "s", "devices at work for its screening")}};
}

Table patterns() {
  return {"patterns",
          "one optimisation pattern",
          {id("id", "pattern"), text("name", 96, "short name"), text("category", 64, "mechanism"),
           text("when", 512, "conditions, JSON"), text("what", 1024, "the change, schematic"),
           text("pitfalls", 512, "what goes wrong"),
           choice("status", {"draft", "admitted", "retired"}, "whether it is offered"),
           text("drafted_on", 64, "name of the hotspot it was written from; empty: none in particular"),
           count("revision", "of its text")}};
}

Table pattern_evidence() {
  return {"pattern_evidence",
          "one measured use of a pattern",
          {id("id", "evidence"), id("pattern", "pattern"), id("hotspot", "hotspot"),
           id("candidate", "candidate that used it"), id("base", "candidate it was measured against"),
           text("platform", 128, "backend, device, compiler"),
           number("log_ratio", "1", "natural logarithm of base time / candidate time"),
           choice("verdict", verdicts, "outcome of the gates"),
           count("gain", "1 when it saved more time than the noise, else 0"),
           text("features", 1024, "of the version that was changed, JSON")}};
}

Table pattern_trials() {
  return {"pattern_trials",
          "one offer of a pattern to the model",
          {id("id", "offer"), id("pattern", "pattern"), id("hotspot", "hotspot"),
           id("call", "model call it was offered in"), count("used", "1 when the answer used it, else 0"),
           text("outcome", 32, "what came of it"),
           text("slot", 64, "which call or move of the hotspot it was offered to")}};
}

Table decisions() {
  return {"decisions",
          "what the search decided",
          {number("time", "s", when), id("run", "run of the program"), id("hotspot", "hotspot"),
           text("text", 384, "decision"), text("rows", 384, "rows it rests on, JSON: table name to ids")}};
}

Table meps() {
  return {"meps",
          "the minimal executable program of one hotspot, as it was tried last",
          {id("id", "MEP"), id("hotspot", "hotspot"), text("by", 16, "user, rules or model"),
           count("answers", "of the model that it took"), sha("spec_sha", "mep.json in /texts"),
           sha("context_sha", "context.hpp in /texts; empty: made from the spec"),
           sha("original_sha", "K(0) in /texts"), sha("inputs_sha", "inputs.cpp in /texts; empty: none"),
           sha("check_sha", "check.cpp in /texts; empty: none"),
           count("usable", "1 when the baseline accepted it, else 0"),
           text("reason", 384, "why not; what sizing decided where it was accepted")}};
}

Table integration() {
  return {"integration",
          "one run of the application with or without the winners",
          {id("placement", "what was put in, of /placements"),
           id("hotspot", "hotspot, -1 for all winners together"),
           choice("arm", {"original", "optimised"}, "which version ran"),
           count("run", "number of the run, from 0"), number("seconds", "s", "whole application"),
           number("metric", "campaign-defined", "figure of merit"),
           count("order", "0 where it ran first of its pair, else 1"),
           choice("verified", {"no", "yes"}, "whether its results were accepted"),
           choice("used", {"no", "yes", "cannot_tell"}, "whether the optimised code was executed")}};
}

Table placements() {
  return {"placements",
          "one attempt to put winners back into their application",
          {id("id", "attempt"),
           id("run", "run of the program"),
           number("time", "s", when),
           text("application", 64, "name in the campaign"),
           id("hotspot", "hotspot, -1 for all winners of the application together"),
           id("candidate", "version that was put in, -1 for all together"),
           text("hotspots", 256, "names of the hotspots, joined by ', '"),
           text("file", 256, "of the application, that was changed; several are joined by ', '"),
           text("rule", 128, "how it was placed"),
           text("flags", 256, "of the compiler, that the versions were tuned with beyond the campaign's"),
           number("standalone", "1", "speed-up of the version alone; of all together unknown"),
           number("share", "1", "part of the run time, as configured"),
           number("ceiling", "1", "most that the share allows (Amdahl)"),
           number("speedup", "1", "inside the application, geometric mean over the pairs of runs"),
           number("low", "1", "lower end of its 95 % interval"),
           number("high", "1", "upper end of its 95 % interval"),
           count("pairs", "of runs that count"),
           text("profiler", 16, "that told the next two; empty: none did"),
           number("kernel_seconds", "s",
                  "in the hotspot's functions, in one run of the original, summed over threads"),
           number("kernel_seconds_patched", "s", "the same of the patched application"),
           choice("used", {"no", "yes", "cannot_tell"}, "whether the optimised code was executed"),
           choice("verdict",
                  {"faster", "slower", "indistinguishable", "not_used", "not_placed", "build_failed",
                   "run_failed", "run_timeout", "not_verified", "no_metric", "disbelieved", "original_failed",
                   "lost"},
                  "what came of it"),
           text("reason", 384, "why, one line"),
           sha("patch_sha", "unified diff in /texts")}};
}

Table texts() {
  return {"texts",
          "one stored text: bytes offset to offset + length of /text_bytes",
          {sha("sha", "SHA-256 of the text"),
           text("kind", 16, "source, diagnostics, prompt, reply, patch, config, log"),
           {"offset", ColumnType::int64, "B", "place in /text_bytes"},
           {"length", ColumnType::int64, "B", "length"}}};
}

Table events() {
  return {"events",
          "the log that explains the run",
          {number("time", "s", when), id("run", "run of the program"), count("rank", "MPI rank"),
           choice("level", {"debug", "info", "warning", "error"}, "importance"), id("hotspot", "hotspot"),
           text("text", 384, "what happened")}};
}

}  // namespace

const Column* Table::find(std::string_view column) const {
  for (const Column& candidate : columns)
    if (candidate.name == column) return &candidate;
  return nullptr;
}

const std::vector<Table>& schema() {
  static const std::vector<Table> tables = {
      runs(),
      hotspots(),
      cases(),
      devices(),
      ceilings(),
      candidates(),
      candidate_links(),
      evaluations(),
      samples(),
      params(),
      profiles(),
      arms(),
      llm_calls(),
      patterns(),
      pattern_evidence(),
      pattern_trials(),
      decisions(),
      meps(),
      placements(),
      integration(),
      texts(),
      {"text_bytes", "all stored texts one after the other, each once", {}},
      events()};
  return tables;
}

const Table* find_table(std::string_view name) {
  for (const Table& table : schema())
    if (table.name == name) return &table;
  return nullptr;
}

}  // namespace noctune
