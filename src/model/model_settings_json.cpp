#include "model/model_settings_json.hpp"

#include <algorithm>

namespace noctune {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> providers = {"openai", "openai-responses", "anthropic", "spool", "replay"};
const std::vector<std::string> flavours = {"azure",    "gemini", "vllm",     "sglang",
                                           "llamacpp", "ollama", "deepseek", "qwen"};

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string one_of(StrictReader& reader, const std::string& key, const std::vector<std::string>& known,
                   const std::string& fallback) {
  std::string value = reader.text(key, fallback);
  if (value != fallback && std::find(known.begin(), known.end(), value) == known.end())
    reader.complain(key, "\"" + value + "\" is not known", "known: " + listed(known));
  return value;
}

double at_least(StrictReader& reader, const std::string& key, double fallback, double low) {
  const double value = reader.number(key, fallback);
  if (!(value >= low)) reader.complain(key, "must be at least " + std::to_string(low));
  return value;
}

long long at_least(StrictReader& reader, const std::string& key, long long fallback, long long low) {
  const long long value = reader.integer(key, fallback);
  if (value < low) reader.complain(key, "must be at least " + std::to_string(low));
  return value;
}

std::string path_in(const fs::path& folder, const std::string& text) {
  if (text.empty() || fs::path(text).is_absolute()) return text;
  return (folder / text).lexically_normal().string();
}

PriceTable read_prices(StrictReader reader) {
  PriceTable out;
  out.date = reader.text("date", "");
  out.currency = reader.text("currency", out.currency);
  StrictReader models = reader.object("models");
  for (const std::string& name : models.keys()) {
    StrictReader one = models.object(name);
    ModelPrice price;
    price.in = at_least(one, "in", 0.0, 0);
    price.cached = at_least(one, "cached", price.in, 0);
    price.out = at_least(one, "out", 0.0, 0);
    one.finish();
    out.models[name] = price;
  }
  models.finish();
  if (!out.models.empty() && out.date.empty())
    reader.complain("date", "is missing: prices need the day on which they were looked up",
                    "for example \"date\": \"2026-11-01\"");
  reader.finish();
  return out;
}

BudgetSettings read_budget(StrictReader reader, const PriceTable& prices) {
  BudgetSettings out;
  out.money = at_least(reader, "money", out.money, 0);
  out.tokens = at_least(reader, "tokens", out.tokens, 0);
  out.requests = at_least(reader, "requests", out.requests, 0);
  out.wall_s = at_least(reader, "wall_s", out.wall_s, 0);
  out.hotspot_share = at_least(reader, "hotspot_share", out.hotspot_share, 0);
  if (out.hotspot_share > 1) reader.complain("hotspot_share", "is a fraction of each cap, at most 1");
  if (out.money > 0 && prices.models.empty())
    reader.complain("money", "cannot be counted without prices",
                    "fill in model.prices, or cap tokens and requests instead");
  reader.finish();
  return out;
}

void refuse_keys(StrictReader& reader) {
  for (const char* key : {"key", "api_key", "token"})
    if (reader.has(key))
      reader.complain(key, "a key has no place in a campaign file: the file is stored with the results",
                      "put it into a file of mode 0600 and name that as key_file, or export it as the "
                      "variable that key_env names");
}

void read_endpoint(StrictReader& reader, const fs::path& folder, ModelSettings& m) {
  m.base_url = reader.text("base_url", m.base_url);
  if (!m.base_url.empty() && !m.base_url.starts_with("http://") && !m.base_url.starts_with("https://"))
    reader.complain("base_url", "must begin with http:// or https://");
  if (m.base_url.find_first_of("@?#") != std::string::npos)
    reader.complain("base_url", "must not hold a user, password or query",
                    "keys come from key_file or key_env");
  m.models = reader.texts("models", m.models);
  m.flavour = one_of(reader, "flavour", flavours, m.flavour);
  m.key_env = reader.text("key_env", m.key_env);
  m.key_file = path_in(folder, reader.text("key_file", m.key_file));
  m.local = reader.boolean("local", m.local);
  m.ca_file = path_in(folder, reader.text("ca_file", m.ca_file));
  m.http = one_of(reader, "http", {"1.1", "2"}, m.http);
  m.connect_s = at_least(reader, "connect_s", m.connect_s, 0.001);
  m.first_token_s = at_least(reader, "first_token_s", m.first_token_s, 0.001);
  m.gap_s = at_least(reader, "gap_s", m.gap_s, 0.001);
  m.total_s = at_least(reader, "total_s", m.total_s, 0.001);
  m.retry_s = at_least(reader, "retry_s", m.retry_s, 0);
}

void check_provider(StrictReader& reader, const ModelSettings& m) {
  const bool speaks = m.provider != "spool" && m.provider != "replay";
  if (speaks && m.models.empty())
    reader.complain("models", "is missing: which model is to be asked?", "\"models\": [\"its name\"]");
  if (m.provider == "spool" && m.spool.empty())
    reader.complain("spool", "is missing: the directory that a relay answers from");
  if (m.provider == "replay" && m.replay.empty())
    reader.complain("replay", "is missing: a results file or a folder of answers");
}

}  // namespace

ModelSettings read_model_settings(StrictReader reader, const fs::path& folder) {
  ModelSettings m;
  refuse_keys(reader);
  m.provider = one_of(reader, "provider", providers, reader.keys().empty() ? "" : "openai");
  read_endpoint(reader, folder, m);
  m.concurrency = static_cast<int>(at_least(reader, "concurrency", 1LL * m.concurrency, 1));
  m.max_output_tokens = static_cast<int>(at_least(reader, "max_output_tokens", 1LL * m.max_output_tokens, 1));
  const double temperature = at_least(reader, "temperature", 0.0, 0);
  if (reader.has("temperature")) m.temperature = temperature;
  m.effort = reader.text("effort", m.effort);
  m.spool = path_in(folder, reader.text("spool", m.spool));
  m.replay = path_in(folder, reader.text("replay", m.replay));
  m.on_wait = one_of(reader, "on_wait", {"wait", "exit"}, m.on_wait);
  m.prices = read_prices(reader.object("prices"));
  m.budget = read_budget(reader.object("budget"), m.prices);
  if (!m.provider.empty()) check_provider(reader, m);
  reader.finish();
  return m;
}

OrderedJson to_json(const ModelSettings& m) {
  OrderedJson out = OrderedJson::object();
  if (m.provider.empty()) return out;
  out["provider"] = m.provider;
  for (const auto& [key, value] : {std::pair{"base_url", &m.base_url},
                                   {"flavour", &m.flavour},
                                   {"key_env", &m.key_env},
                                   {"key_file", &m.key_file},
                                   {"ca_file", &m.ca_file},
                                   {"effort", &m.effort},
                                   {"spool", &m.spool},
                                   {"replay", &m.replay}})
    if (!value->empty()) out[key] = *value;
  if (!m.models.empty()) out["models"] = m.models;
  out["local"] = m.local;
  out["http"] = m.http;
  out["concurrency"] = m.concurrency;
  out["max_output_tokens"] = m.max_output_tokens;
  if (m.temperature) out["temperature"] = *m.temperature;
  out["connect_s"] = m.connect_s;
  out["first_token_s"] = m.first_token_s;
  out["gap_s"] = m.gap_s;
  out["total_s"] = m.total_s;
  out["retry_s"] = m.retry_s;
  out["on_wait"] = m.on_wait;
  if (!m.prices.models.empty()) {
    out["prices"] = {{"date", m.prices.date}, {"currency", m.prices.currency}};
    for (const auto& [name, price] : m.prices.models)
      out["prices"]["models"][name] = {{"in", price.in}, {"cached", price.cached}, {"out", price.out}};
  }
  const BudgetSettings& b = m.budget;
  out["budget"] = {{"money", b.money},
                   {"tokens", b.tokens},
                   {"requests", b.requests},
                   {"wall_s", b.wall_s},
                   {"hotspot_share", b.hotspot_share}};
  return out;
}

}  // namespace noctune
