// What calls cost. Prices are the user's, with a date; a model without a price costs nothing here and is
// bounded by tokens and requests alone.
#pragma once

#include <string>

#include "model/campaign.hpp"
#include "model/chat.hpp"

namespace noctune {

// Tokens of a text before a provider has counted them: a third of its bytes, which errs upwards for code.
long long estimated_tokens(std::size_t bytes);
long long estimated_tokens(const ChatRequest& request);

// The price of a model as served: exact name, else the longest name in the table that the model's begins with
// ("gpt-x" for "gpt-x-2026-01-01"). Null where the table has none.
const ModelPrice* price_of(const PriceTable& table, const std::string& model);

// In the table's currency. Tokens read from the provider's cache have their own rate.
double cost_of(const PriceTable& table, const std::string& model, const TokenUsage& usage);

}  // namespace noctune
