#include "integration/placement_rows.hpp"

#include <cmath>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "model/evaluation_json.hpp"

namespace noctune {
namespace {

Json known(double value) {
  return number_to_json(value > 0 ? value : unknown);
}

void record_gain(Recorder& recorder, const Placement& placement) {
  if (placement.hotspots.size() != 1 || !is_measured(placement.verdict)) return;
  std::optional<HotspotRow> row = recorder.known_hotspot(placement.hotspots.front());
  if (!row) return;
  row->integrated_speedup = placement.gain.speedup;
  recorder.hotspot(*row);
}

}  // namespace

void record_placement(Recorder& recorder, const Placement& placement) {
  const Confirmation& gain = placement.gain;
  Json row{{"time", wall_seconds()},
           {"application", text_to_json(placement.application)},
           {"hotspot", placement.hotspot},
           {"candidate", placement.candidate},
           {"hotspots", text_to_json(joined(placement.hotspots))},
           {"file", text_to_json(joined(placement.files))},
           {"rule", text_to_json(placement.rule)},
           {"flags", text_to_json(placement.flags)},
           {"standalone", known(placement.standalone)},
           {"share", known(placement.share)},
           {"ceiling", known(placement.ceiling)},
           {"speedup", known(gain.speedup)},
           {"low", known(gain.low)},
           {"high", known(gain.high)},
           {"pairs", gain.log_speedups.size()},
           {"profiler", text_to_json(placement.kernel.profiler)},
           {"kernel_seconds", known(placement.kernel.original)},
           {"kernel_seconds_patched", known(placement.kernel.patched)},
           {"used", to_text(placement.use.used)},
           {"verdict", to_text(placement.verdict)},
           {"reason", text_to_json(placement.reason)}};
  if (!placement.patch.empty()) row["patch_sha"] = recorder.text("patch", placement.patch);
  const long long id = recorder.row("placements", row);
  for (const ApplicationRunRecord& run : placement.runs)
    recorder.row("integration", {{"placement", id},
                                 {"hotspot", placement.hotspot},
                                 {"arm", run.patched ? "optimised" : "original"},
                                 {"run", run.run},
                                 {"seconds", run.seconds},
                                 {"metric", known(run.metric)},
                                 {"order", run.order},
                                 {"verified", run.verified ? "yes" : "no"},
                                 {"used", run.patched ? to_text(placement.use.used) : "no"}});
  record_gain(recorder, placement);
}

}  // namespace noctune
