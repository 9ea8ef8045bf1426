#include "llm/price.hpp"

#include <algorithm>

namespace noctune {
namespace {

constexpr std::size_t bytes_per_token = 3;
constexpr double per_million = 1e-6;

}  // namespace

long long estimated_tokens(std::size_t bytes) {
  return static_cast<long long>((bytes + bytes_per_token - 1) / bytes_per_token);
}

long long estimated_tokens(const ChatRequest& request) {
  std::size_t bytes = 0;
  for (const ChatMessage& message : request.messages) bytes += message.content.size();
  return estimated_tokens(bytes);
}

const ModelPrice* price_of(const PriceTable& table, const std::string& model) {
  const ModelPrice* best = nullptr;
  std::size_t longest = 0;
  for (const auto& [name, price] : table.models)
    if (name.size() >= longest && model.starts_with(name)) {
      best = &price;
      longest = name.size();
    }
  return best;
}

double cost_of(const PriceTable& table, const std::string& model, const TokenUsage& usage) {
  const ModelPrice* price = price_of(table, model);
  if (price == nullptr) return 0;
  const long long fresh = std::max(0LL, usage.in - usage.cached);
  return per_million *
         (static_cast<double>(fresh) * price->in + static_cast<double>(usage.cached) * price->cached +
          static_cast<double>(usage.out) * price->out);
}

}  // namespace noctune
