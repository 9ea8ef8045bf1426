#include "coordinator/device_health.hpp"

#include "model/evaluation.hpp"

namespace noctune {
namespace {

// The part of a reply that a fault would show in, whichever request it answers. Empty where the reply is odd.
struct Answer {
  std::string verdict, message;
};

std::string text_at(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Answer answer_in(const Json& reply) {
  if (!reply.is_object()) return {};
  if (const auto found = reply.find("evaluation"); found != reply.end())
    return {text_at(*found, "verdict"), text_at(*found, "message")};
  const auto prepared = reply.find("prepared");
  if (prepared == reply.end() || !prepared->is_object() || !prepared->contains("report")) return {};
  const Json& report = prepared->at("report");
  return {text_at(report, "failure"), text_at(report, "message")};
}

}  // namespace

bool is_infrastructure_fault(const Json& reply) {
  return !reply.is_object() || reply.contains("error") || answer_in(reply).verdict == to_text(Verdict::lost);
}

std::string fault_text(const Json& reply) {
  const std::string error = text_at(reply, "error"), message = answer_in(reply).message;
  if (!error.empty()) return error;
  return message.empty() ? "no reason given" : message;
}

}  // namespace noctune
