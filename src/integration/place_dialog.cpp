#include "integration/place_dialog.hpp"

namespace noctune {
namespace {

// With other lines, or a call that is mended, it may go well.
bool can_be_mended(PlacementVerdict verdict) {
  switch (verdict) {
    case PlacementVerdict::not_used:
    case PlacementVerdict::not_placed:
    case PlacementVerdict::build_failed:
    case PlacementVerdict::run_failed:
    case PlacementVerdict::run_timeout:
    case PlacementVerdict::not_verified:
    case PlacementVerdict::no_metric:
      return true;
    default:
      return false;
  }
}

}  // namespace

Task<Result<std::string>> PlaceDialog::answer() {
  if (!is_open()) co_return Result<std::string>(answer_);
  PlaceQuestion question = question_;
  Result<std::string> answer = co_await adviser_.advise(std::move(question));
  answer_ = answer.value_or(std::string());
  refused_ = false;
  co_return answer;
}

bool PlaceDialog::ended(PlacementVerdict verdict, const std::string& reason, const std::string& diagnostics) {
  if (answer_.empty()) return false;
  const bool mend = can_be_mended(verdict);
  const std::string failure = std::string(to_text(verdict)) + ": " + reason;
  adviser_.heard(question_, mend ? failure : "as asked");
  if (!mend) return false;
  refused_ = true;
  question_.answer = answer_;
  question_.failure = failure;
  question_.diagnostics = diagnostics;
  question_.repairs_left = repairs_ - question_.repair;
  ++question_.repair;
  return question_.repairs_left > 0;
}

}  // namespace noctune
