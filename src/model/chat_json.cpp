#include "model/chat_json.hpp"

#include "model/reading_json.hpp"

namespace noctune {
namespace {

TokenUsage usage_from(const Json& json) {
  TokenUsage out;
  take(json, "in", out.in);
  take(json, "cached", out.cached);
  take(json, "written", out.written);
  take(json, "out", out.out);
  take(json, "reasoning", out.reasoning);
  take(json, "estimated", out.estimated);
  return out;
}

}  // namespace

Json to_json(const CallSlot& s) {
  return {{"hotspot", s.hotspot}, {"arm", s.arm},       {"replicate", s.replicate}, {"round", s.round},
          {"sample", s.sample},   {"repair", s.repair}, {"purpose", s.purpose}};
}

Json to_json(const ChatRequest& r) {
  Json out{{"messages", Json::array()}, {"prompt_template", r.prompt_template},
           {"model", r.model},          {"max_output_tokens", r.max_output_tokens},
           {"effort", r.effort},        {"stable_prefix", r.stable_prefix}};
  if (r.temperature) out["temperature"] = *r.temperature;
  for (const ChatMessage& message : r.messages)
    out["messages"].push_back({{"role", to_text(message.role)}, {"content", message.content}});
  return out;
}

Json to_json(const TokenUsage& u) {
  return {{"in", u.in},   {"cached", u.cached},       {"written", u.written},
          {"out", u.out}, {"reasoning", u.reasoning}, {"estimated", u.estimated}};
}

Json to_json(const ChatReply& r) {
  return {{"outcome", to_text(r.outcome)},
          {"text", r.text},
          {"message", r.message},
          {"param", r.param},
          {"provider", r.provider},
          {"model_asked", r.model_asked},
          {"model_served", r.model_served},
          {"parameters", r.parameters},
          {"finish_reason", r.finish_reason},
          {"request_id", r.request_id},
          {"usage", to_json(r.usage)},
          {"cost", r.cost},
          {"seconds", r.seconds},
          {"attempts", r.attempts}};
}

Result<CallSlot> call_slot_from(const Json& json) {
  return reading<CallSlot>(json, "slot of a model call", [&](CallSlot& out) {
    take(json, "hotspot", out.hotspot);
    take(json, "arm", out.arm);
    take(json, "replicate", out.replicate);
    take(json, "round", out.round);
    take(json, "sample", out.sample);
    take(json, "repair", out.repair);
    take(json, "purpose", out.purpose);
  });
}

Result<ChatRequest> chat_request_from(const Json& json) {
  return reading<ChatRequest>(json, "request to a model", [&](ChatRequest& out) {
    for (const Json& message : json.at("messages"))
      out.messages.push_back(
          {chat_role_from(message.at("role").get<std::string>()), message.at("content").get<std::string>()});
    take(json, "prompt_template", out.prompt_template);
    take(json, "model", out.model);
    take(json, "max_output_tokens", out.max_output_tokens);
    take(json, "effort", out.effort);
    take(json, "stable_prefix", out.stable_prefix);
    if (json.contains("temperature") && !json["temperature"].is_null())
      out.temperature = json["temperature"].get<double>();
  });
}

Result<ChatReply> chat_reply_from(const Json& json) {
  return reading<ChatReply>(json, "reply of a model", [&](ChatReply& out) {
    out.outcome = chat_outcome_from(json.at("outcome").get<std::string>());
    take(json, "text", out.text);
    take(json, "message", out.message);
    take(json, "param", out.param);
    take(json, "provider", out.provider);
    take(json, "model_asked", out.model_asked);
    take(json, "model_served", out.model_served);
    take(json, "parameters", out.parameters);
    take(json, "finish_reason", out.finish_reason);
    take(json, "request_id", out.request_id);
    if (json.contains("usage")) out.usage = usage_from(json["usage"]);
    take(json, "cost", out.cost);
    take(json, "seconds", out.seconds);
    take(json, "attempts", out.attempts);
  });
}

}  // namespace noctune
