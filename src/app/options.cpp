#include "app/options.hpp"

#include <algorithm>

#include "app/command_line.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/mpi.hpp"
#include "base/text.hpp"

namespace noctune {

const char* const common_footer =
    "Exit codes: 0 done; 75 stopped by time or a signal, run the same command again to go on;\n"
    "76 the same, but only answers of the model are missing (see relay);\n"
    "2 usage or config; 3 no usable device; 4 every baseline failed; 1 anything else.\n"
    "First steps: scripts/quickstart.sh, then README.md.";

namespace {

void add_tune(CLI::App& app, Options& options, std::string& limit) {
  CLI::App* tune = app.add_subcommand("tune", "Tune a campaign's hotspots; run again after a stop to go on");
  tune->add_option("config", options.config, "Campaign file (JSON with comments)")->required();
  tune->add_option("-o,--output", options.output, "Results file [<config name>.h5]");
  tune->add_option("--set", options.overrides, "Override one key, e.g. --set search.rounds=3")
      ->allow_extra_args(false);
  tune->add_flag("--dry-run", options.dry_run,
                 "Print the resolved plan, the pinning map and a forecast; run nothing");
  tune->add_flag("--force-new", options.force_new,
                 "Where the results there were made under other settings, begin F-2.h5 beside F.h5");
  tune->add_option("--time-limit", limit,
                   "Stop cleanly in time, H:MM:SS; Slurm's own limit is known without it");
  tune->add_option_function<std::string>(
          "--on-wait",
          [&options](const std::string& what) { options.overrides.push_back("model.on_wait=" + what); },
          "With a spool: wait for replies, or exit with 76 once only replies are missing [wait]")
      ->check(CLI::IsMember({"wait", "exit"}));
  tune->footer(
      "Alone, or under the MPI launcher: mpirun -n 3 noctune tune campaign.json. Rank 0 coordinates, every\n"
      "other rank is an evaluator; alone it is both. SIGUSR1, Ctrl-C or a file <results>.stop end it when "
      "what\n"
      "runs is done; a second signal, or SIGTERM, at once. Everything measured is in <results>.journal at "
      "once\n"
      "and in the HDF5 file every two minutes; the same command goes on from there.\n" +
      std::string(common_footer));
  tune->callback([&options] { options.verb = Verb::tune; });
}

void add_mep(CLI::App& app, Options& options) {
  CLI::App* mep = app.add_subcommand("mep", "Complete, size and check the MEPs of a campaign; tune nothing");
  mep->add_option("config", options.config, "Campaign file whose hotspots are to be completed")->required();
  mep->add_option("--hotspot", options.hotspot, "Only this one");
  mep->add_option("-o,--output", options.output,
                  "Folder for what is made, one folder per hotspot in it [mep]");
  mep->add_flag("--force", options.force, "Replace files there that hold something else");
  mep->add_option("--set", options.overrides, "Override one key, e.g. --set mep.t_min_ms=5")
      ->allow_extra_args(false);
  mep->footer(
      "A MEP (minimal executable program) is what is needed to run, check and time a kernel alone: a spec of "
      "its\n"
      "arguments, sizes and inputs, the original K(0), and the entry that launches it. A hotspot without "
      "`mep` is\n"
      "completed from its source: by rules, then by the model where the campaign has one. Each MEP is then "
      "built,\n"
      "sized, run under guards and timed as `tune` does it, and refused if its check could be passed by "
      "doing\n"
      "nothing. You see what was understood, what was assumed and what sizing decided, with numbers.\n"
      "\n"
      "  noctune init kernels/*.cpp              a starter campaign\n"
      "  noctune mep campaign.json               mep/<hotspot>/{mep.json, original.cpp, ...}\n"
      "  $EDITOR mep/gemm/mep.json               correct what was assumed\n"
      "and name the files in the campaign: \"source\": \"mep/gemm/original.cpp\", \"mep\": "
      "\"mep/gemm/mep.json\".\n"
      "\n"
      "Nothing is kept of a model's answers but the MEPs; `tune` keeps them, so it asks nothing twice.\n"
      "Exit codes: 0 every MEP holds; 4 none does; 1 some were refused; 2 usage or config, or no hotspot "
      "that\n"
      "could be completed; 3 no usable compiler; 75 stopped by a signal; 76 only answers of the model are "
      "missing.");
  mep->callback([&options] { options.verb = Verb::mep; });
}

void add_init(CLI::App& app, Options& options) {
  CLI::App* init = app.add_subcommand("init", "Write a starter campaign for kernel files");
  init->add_option("source", options.sources, "Files with kernels cut out of an application")->required();
  init->add_option("-o,--output", options.output, "Campaign file to write [campaign.json]");
  init->add_flag("--force", options.force, "Replace the campaign file if it is there");
  init->footer(
      "The files need not compile: types, macros and headers may be missing. Every kernel becomes a "
      "hotspot;\n"
      "kernels that one host function launches become one together. What was understood and what was "
      "assumed\n"
      "stands in the campaign as comments. Nothing is built or run.\n"
      "\n"
      "  noctune init kernels/gemm.cpp kernels/md.cpp --output mine.json\n"
      "  noctune mep mine.json\n"
      "\n"
      "Exit codes: 0 written; 2 usage, no kernel in any file, or the campaign is there already; 1 anything "
      "else.");
  init->callback([&options] { options.verb = Verb::init; });
}

void add_try(CLI::App& app, Options& options) {
  CLI::App* one = app.add_subcommand("try", "Take your own version of a hotspot through the same gates");
  one->add_option("config", options.config, "Campaign file that names the hotspot")->required();
  one->add_option("hotspot", options.hotspot, "Name of the hotspot in it")->required();
  one->add_option("file", options.file, "Your version: one source file that defines the hotspot's entry")
      ->required();
  one->add_option(
      "--flags", options.flags,
      "Compiler flags for your version alone, e.g. --flags='-funroll-loops'; only such as keep values");
  one->add_option("--set", options.overrides, "Override one key, e.g. --set search.repeats=100")
      ->allow_extra_args(false);
  one->footer(
      "An example: copy the original, change it, see what the gates say.\n"
      "  cp hotspots/gemm.cpp mine.cpp && $EDITOR mine.cpp\n"
      "  noctune try configs/quickstart.json gemm mine.cpp\n"
      "\n"
      "The original is built, sized and timed against itself first, which tells its noise. Your version "
      "then\n"
      "passes policy (no files, clocks, processes), build (the campaign's flags), check (its outputs "
      "against\n"
      "the original's) and time (both in turns), and is confirmed in fresh processes. Nothing is stored.\n"
      "The account is on stdout, progress on stderr; Ctrl-C ends it at any time.\n"
      "\n"
      "Exit codes: 0 every gate passed, be it faster or not; 1 a gate refused it; 2 usage or config;\n"
      "3 no usable compiler; 4 the original itself cannot be used; 75 stopped by a signal.");
  one->callback([&options] { options.verb = Verb::try_version; });
}

void add_prompt(CLI::App& app, Options& options) {
  CLI::App* one = app.add_subcommand("prompt", "Print exactly what a model would be sent; send nothing");
  one->add_option("config", options.config, "Campaign file that names the hotspot")->required();
  one->add_option("hotspot", options.hotspot, "Name of the hotspot in it")->required();
  one->add_option("--purpose", options.purpose,
                  "Which request: plan, write, direct, sampling, or complete for its MEP [plan]")
      ->check(CLI::IsMember({"plan", "write", "direct", "sampling", "complete"}));
  one->add_option("--set", options.overrides, "Override one key of the campaign")->allow_extra_args(false);
  one->footer(
      "What leaves the site, word for word, as the first round sends it: the hotspot's source and context,\n"
      "sizes, tolerance, device and flags; never paths, hosts, keys or the seeds of checks. The hotspot is\n"
      "completed first, for its sizes and times, which takes some seconds. No model section is needed.\n"
      "Prompts that were sent are in the results file, /llm_calls and /texts.\n" +
      std::string(common_footer));
  one->callback([&options] { options.verb = Verb::prompt; });
}

void add_integrate(CLI::App& app, Options& options) {
  CLI::App* one =
      app.add_subcommand("integrate", "Put winners back into a copy of their application and measure there");
  one->add_option("results", options.results, "Results file (HDF5), beside its .journal folder")->required();
  one->add_option("hotspot", options.hotspots, "Only these [all that have a place in an application]");
  one->add_option("--config", options.config,
                  "Campaign file with `applications` and `integrate`, where the tuned one lacks them");
  one->add_option("-o,--output", options.output, "Folder for the patches [<results>.patches]");
  one->add_option("--keep", options.keep,
                  "Folder in which both copies of each application stay; on the disk\n"
                  "that all nodes see where the application runs on several");
  one->add_flag("--no-profile", options.no_profile,
                "Without the run of each under perf, nsys or rocprof that tells the kernel's own time");
  one->add_option("--set", options.overrides, "Override one key, e.g. --set applications.0.runs=10")
      ->allow_extra_args(false);
  one->footer(
      "In the campaign file:\n"
      "  \"applications\": [{\"name\": \"md\", \"directory\": \"../md\", \"build\": \"make\", \"run\": "
      "\"./md 16 "
      "20\",\n"
      "     \"metric\": {\"from\": \"output\", \"pattern\": \"merit: ([0-9.]+)\", \"better\": "
      "\"higher\"}}],\n"
      "  \"hotspots\": [{..., \"integrate\": {\"application\": \"md\", \"file\": \"src/kernels.cpp\", "
      "\"share\": "
      "0.6}}]\n"
      "\n"
      "The directory is copied twice and never written. One copy gets the winner as a patch; both are built, "
      "run\n"
      "and verified by your own commands. A build in which the new code does nothing shows whether it is "
      "used "
      "at\n"
      "all. Then original and patched run in turns, in random order: that is the integrated speed-up. A "
      "version "
      "that\n"
      "does not build, hangs or fails the verification is rolled back, and the next best one is tried. "
      "Several\n"
      "hotspots of one application are tried each alone, then all together. Where no rule finds the place,\n"
      "the campaign's model is asked, if it has one.\n"
      "\n"
      "  noctune integrate campaign.h5                         all of them\n"
      "  noctune integrate campaign.h5 gemm --config c.json    one, with places from c.json\n"
      "  cd md && git apply campaign.h5.patches/gemm.patch     the patch is yours to review\n"
      "\n"
      "Compiler flags that a winner was tuned with are in NOCTUNE_FLAGS while the patched copy is built:\n"
      "\"build\": \"make CXX=\\\"g++ $NOCTUNE_FLAGS\\\"\".\n"
      "\n"
      "In a job, call it after tune in the batch script itself, not under srun; docs/integration.md has "
      "more.\n"
      "Exit codes: 0 every winner was measured; 1 one was not: its verdict says why; 2 usage or config;\n"
      "75 stopped by a signal; 76 an answer of the model is outstanding.");
  one->callback([&options] { options.verb = Verb::integrate; });
}

void add_report(CLI::App& app, Options& options) {
  CLI::App* report = app.add_subcommand("report", "Show what a campaign found, or what changed between two");
  report->add_option("results", options.results, "Results file (HDF5)")->required();
  CLI::Option* later =
      report->add_option("later", options.later_results, "A second results file, to compare with the first");
  CLI::Option* hotspot =
      report->add_option("--hotspot", options.hotspot, "Details of one hotspot: how its winner came about");
  CLI::Option* html =
      report->add_option("--html", options.html, "Write one self-contained page with charts and diffs");
  CLI::Option* csv =
      report->add_option("--csv", options.csv, "Write every table as a CSV file into this folder");
  CLI::Option* t4 =
      report->add_option("--t4", options.t4, "Write T4 JSON, the FAIR autotuning results format");
  CLI::Option* follow = report->add_flag("--follow", options.follow,
                                         "While it runs: a line whenever the results file has changed");
  for (CLI::Option* other : {hotspot, html, csv, t4, follow}) later->excludes(other);
  for (CLI::Option* other : {hotspot, html, csv, t4}) follow->excludes(other);
  report->footer(
      "A speed-up is a geometric mean over fresh process pairs against the original, with its 95 % "
      "interval;\n"
      "`indistinguishable` means that no gain could be told from noise.\n"
      "\n"
      "  noctune report night.h5                        the result, then every hotspot\n"
      "  noctune report night.h5 --hotspot gemm         lineage of its winner, and why each version failed\n"
      "  noctune report night.h5 --html night.html      for the browser, the phone and paper\n"
      "  noctune report night.h5 next.h5                what changed between two campaigns\n"
      "  noctune report night.h5 --follow               beside the job; ends with it, or with Ctrl-C\n"
      "\n"
      "With Python: docs/analysis.md. A winner as files: noctune export.\n" +
      std::string(common_footer));
  report->callback([&options] { options.verb = Verb::report; });
}

void add_export(CLI::App& app, Options& options) {
  CLI::App* one = app.add_subcommand("export", "Write one hotspot's winner, patch and program as files");
  one->add_option("results", options.results, "Results file (HDF5)")->required();
  one->add_option("hotspot", options.hotspot, "Name of the hotspot in it")->required();
  one->add_option("-o,--output", options.output, "Folder to write into [<hotspot>-export]");
  one->add_flag("--force", options.force, "Replace files there that hold something else");
  one->footer(
      "The folder stands without the campaign: the winner's source, winner.patch against the original, the\n"
      "minimal executable program (mep/), a campaign of this hotspot alone and a README of how it was\n"
      "measured. To measure again, there or on another machine:\n"
      "\n"
      "  noctune export night.h5 gemm --output gemm\n"
      "  cd gemm && noctune try campaign.json gemm winner.cpp\n"
      "\n" +
      std::string(common_footer));
  one->callback([&options] { options.verb = Verb::export_hotspot; });
}

void add_patterns(CLI::App& app, Options& options) {
  CLI::App* patterns =
      app.add_subcommand("patterns", "Show what was learnt: changes that helped, and when they apply");
  patterns->add_option("path", options.results, "Results file (HDF5), or the folder of a pattern library")
      ->required();
  patterns->add_option("--hotspot", options.hotspot, "Only what was used or offered on this hotspot");
  patterns->add_flag("--json", options.json, "The same as JSON, for programs");
  patterns->footer(
      "A pattern is one change, schematic, with conditions on kernels and platforms (`when`). It gets "
      "credit\n"
      "only from versions that made this one change to their base. `draft`: not yet confirmed on another\n"
      "hotspot; `admitted`: it gained elsewhere too; `retired`: it failed too often and is offered no more.\n"
      "The effect is a factor of time, shrunk towards 1 where uses are few: 1.10x from one use was 1.61x.\n"
      "\n"
      "  noctune patterns quickstart.h5            what one campaign learnt\n"
      "  noctune patterns ~/patterns               a folder that campaigns share, one file per run\n"
      "  noctune patterns ~/patterns --hotspot gemm\n"
      "\n"
      "To correct or withdraw one, add its line again with a higher revision: docs/patterns.md.\n" +
      std::string(common_footer));
  patterns->callback([&options] { options.verb = Verb::patterns; });
}

void add_rebuild(CLI::App& app, Options& options) {
  CLI::App* rebuild = app.add_subcommand("rebuild", "Make the HDF5 file again from its journal");
  rebuild->add_option("results", options.results, "Results file (HDF5), beside its .journal folder")
      ->required();
  rebuild->add_flag("--prune", options.prune,
                    "Remove the journal afterwards; the campaign can then not be resumed");
  rebuild->footer(common_footer);
  rebuild->callback([&options] { options.verb = Verb::rebuild; });
}

void add_doctor(CLI::App& app, Options& options) {
  CLI::App* doctor =
      app.add_subcommand("doctor", "Say what works here: MPI, processors, compiler, sandbox, model");
  doctor->add_option("config", options.config,
                     "Campaign file, to check its compiler, hotspots and model as well");
  doctor->add_option("--set", options.overrides, "Override one key of the campaign")->allow_extra_args(false);
  doctor->footer(common_footer);
  doctor->callback([&options] { options.verb = Verb::doctor; });
}

void add_relay(CLI::App& app, Options& options) {
  CLI::App* relay = app.add_subcommand("relay", "Answer a campaign's model calls from a node with a network");
  relay
      ->add_option("--spool", options.spool,
                   "Directory that both nodes see, as in the campaign's model.spool")
      ->required();
  CLI::Option* config =
      relay->add_option("--config", options.config, "Campaign file whose model section names the endpoint");
  relay->add_option("--set", options.overrides, "Override one key, e.g. --set model.provider=openai")
      ->allow_extra_args(false)
      ->needs(config);
  relay->add_option("--replay", options.replay, "Answer from a folder of files instead, without a network");
  relay->add_flag("--once", options.once, "End when no request is left");
  relay->footer(
      "For machines whose compute nodes reach no model. Ask the site first: login nodes may forbid or kill\n"
      "long processes. The job writes its requests into the spool (model.provider \"spool\"); on a login or\n"
      "transfer node, in a screen or tmux session:\n"
      "  export OPENAI_API_KEY=...      # stays on this node, it is never written to the spool\n"
      "  noctune relay --spool /scratch/me/spool --config campaign.json --set model.provider=openai\n"
      "\n"
      "Models, output limit and budget are this command's, whatever a request says. Several relays may "
      "serve\n"
      "one spool. Ctrl-C, SIGTERM or a file STOP in the spool end it after the open calls, a second signal\n"
      "at once; what is unanswered stays in the spool. docs/spool.md has the protocol and how to answer by "
      "hand.\n"
      "\n"
      "Exit codes: 0 ended as asked; 1 the endpoint answers nobody (key refused, quota gone) or anything "
      "else;\n"
      "2 usage or config.");
  relay->callback([&options] { options.verb = Verb::relay; });
}

void add_capture(CLI::App& app, Options& options) {
  CLI::App* capture =
      app.add_subcommand("capture", "Pack launches recorded in an application, and make specs of them");
  capture->add_option("path", options.file, "Folder that NOCTUNE_CAPTURE_DIR named, or a packed file")
      ->required();
  capture->add_option("-o,--output", options.output, "Packed file (HDF5) [captures.h5]");
  capture->add_option("--mep", options.mep_folder,
                      "Write a starter spec for each kernel, and its data, into this folder");
  capture
      ->add_option("--names", options.sources,
                   "A source or spec whose kernels name the arguments of injected captures; may be repeated")
      ->allow_extra_args(false);
  capture->add_flag("--force", options.force, "Overwrite what is there");
  capture->footer(
      "In the application, before the launch (share/noctune/capture/noctune_capture.hpp, nothing to link):\n"
      "  NOCTUNE_CAPTURE(\"smooth\", NOCTUNE_GRID(grid, block), NOCTUNE_VALUE(n), NOCTUNE_IN(x, n),\n"
      "                  NOCTUNE_INOUT(y, n));\n"
      "  smooth<<<grid, block>>>(n, x, y);\n"
      "Run it with NOCTUNE_CAPTURE_DIR=caught; then\n"
      "  noctune capture caught -o smooth.h5 --mep hotspots\n"
      "\n"
      "Each different launch becomes a case with its real data; how often it was met is its weight.\n"
      "CUDA applications that cannot be changed are recorded by an injected library (noctune_inject.cpp "
      "beside\n"
      "the header). docs/capture.md has the limits, the library and the file.\n" +
      std::string(common_footer));
  capture->callback([&options] { options.verb = Verb::capture; });
}

// CLI11 says of a misspelt command only that one is missing.
void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (word.empty() || word[0] == '-' || std::find(known.begin(), known.end(), word) != known.end()) return;
  const std::string near = closest(word, known);
  throw CLI::ValidationError("there is no command \"" + word + "\"" +
                             (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

}  // namespace

void add_commands(CLI::App& app, Options& options, std::string& time_limit) {
  app.description(
      "Noctune tunes the hotspot kernels of HPC applications overnight: every version is built, checked\n"
      "against the original and timed beside it; what won is in one HDF5 file in the morning.");
  app.set_version_flag("--version", [] { return version_text(); });
  app.require_subcommand(1);
  app.footer(common_footer);
  add_tune(app, options, time_limit);
  add_mep(app, options);
  add_init(app, options);
  add_try(app, options);
  add_prompt(app, options);
  add_integrate(app, options);
  add_report(app, options);
  add_export(app, options);
  add_patterns(app, options);
  add_rebuild(app, options);
  add_doctor(app, options);
  add_relay(app, options);
  add_capture(app, options);
}

Options parse_options(int argc, char** argv) {
  Options options;
  std::string limit;
  CLI::App app;
  add_commands(app, options, limit);
  const bool speaks = launcher_rank() == 0;  // under mpirun one voice is enough
  try {
    if (argc > 1) refuse_unknown_command(app, argv[1]);
    app.parse(argc, argv);
    if (!limit.empty() && (options.time_limit_s = parse_duration(limit)) <= 0)
      throw CLI::ValidationError("--time-limit", "\"" + limit + "\" is not a time; write it as H:MM:SS");
  } catch (const CLI::Success& answered) {
    if (speaks) app.exit(answered);
    options.exit_code = 0;
  } catch (const CLI::ParseError& refused) {
    if (speaks) app.exit(refused);
    options.exit_code = static_cast<int>(Exit::usage);
  }
  return options;
}

}  // namespace noctune
