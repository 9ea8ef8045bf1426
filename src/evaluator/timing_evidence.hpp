// What speaks for or against a timing pair besides its samples: plain numbers in, plain numbers out.
#pragma once

#include <string>
#include <vector>

#include "mep/case.hpp"
#include "mep/driver_report.hpp"
#include "model/evaluation.hpp"
#include "model/task.hpp"

namespace noctune {

// The candidate's turns as the reference's process saw them, with the reference's clock.
struct TurnEvidence {
  double excess = 0;         // seconds a sample beyond what the candidate reports and a turn costs anyway
  double spread = 0;         // median absolute deviation over turns, of both sides
  double median_sample = 0;  // the candidate's own report, for scale
  int turns = 0;             // that were seen from outside
};
TurnEvidence turn_evidence(const std::string& schedule, const TimeReport& reference,
                           const TimeReport& candidate);
// True when so much of the candidate's work lies outside its reported samples that its clock, or what it
// calls its work, cannot be believed. Half a sample, 0.3 ms and three spreads are granted: beside other load
// both processes wait for a processor at every turn, which only the spread tells from hidden work. Lies that
// hide behind such load are left to the clock inside of the process.
bool hides_work(const TurnEvidence& evidence);

// How much a sample measured other things: switches of the kernel to other work; a device that was too hot or
// braked by its hardware counts more than any number of them.
long long disturbance(const Sample& sample);
bool is_braked(const Sample& sample);

// Per-call seconds without disturbed samples: those measure other work. Where fewer than 2 trim + 1 are left,
// as with calls longer than a time slice, those with the least disturbance.
std::vector<double> undisturbed(const TimeReport& report, int trim);
double disturbed_share(const TimeReport& report);

// Reference beside the candidate over reference alone, before the candidate was loaded: medians. 0 = unknown.
double solo_ratio(const TimeReport& reference, const std::vector<double>& clean_samples);
// log(median of the second half / median of the first half) of a side's samples: how the machine drifted.
double drift(const std::vector<double>& samples);

// Every timed call against the reference's on the same inputs, by sketches; empty when they agree.
std::string sketch_objection(const ResolvedCase& resolved, const std::vector<OutputTolerance>& tolerances,
                             const TimeReport& reference, const TimeReport& candidate);

}  // namespace noctune
