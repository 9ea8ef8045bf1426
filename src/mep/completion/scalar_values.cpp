#include "mep/completion/scalar_values.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

using Table = std::vector<std::pair<const char*, const char*>>;

// The first entry that the name starts with, ends with or holds between underscores; of longer words any
// part.
std::string look_up(const Table& table, const std::string& name, const char* otherwise) {
  const std::string lower = in_lower_case(name);
  for (const auto& [part, value] : table) {
    const std::string word = part;
    const std::size_t at = lower.find(word);
    if (at == std::string::npos) continue;
    if (word.size() >= 4 || lower == word) return value;
    const bool starts = at == 0 && lower.size() <= word.size() + 2;
    const bool bounded = (at == 0 || lower[at - 1] == '_') &&
                         (at + word.size() == lower.size() || lower[at + word.size()] == '_');
    if (starts || bounded) return value;
  }
  return otherwise;
}

}  // namespace

std::string real_by_name(const std::string& name) {
  static const Table table = {
      {"cutforcesq", "1.44"}, {"cutsq", "1.44"}, {"cutoff2", "1.44"}, {"cut2", "1.44"},    {"rc2", "1.44"},
      {"rcut", "1.2"},        {"cutoff", "1.2"}, {"cut", "1.2"},      {"rc", "1.2"},       {"sigma6", "0.1"},
      {"epsilon", "0.5"},     {"soft", "0.01"},  {"eps", "0.01"},     {"tol", "1e-6"},     {"floor", "1e-3"},
      {"min", "1e-3"},        {"dtdx", "0.1"},   {"dt", "0.01"},      {"delta_t", "0.01"}, {"omega", "0.9"},
      {"relax", "0.9"},       {"gamma", "1.4"},  {"alpha", "1.25"},   {"beta", "0.75"},    {"sigma", "0.5"},
      {"lambda", "0.5"},      {"coef", "0.1"},   {"c", "0.1"},        {"dx", "0.5"},       {"dy", "0.5"},
      {"dz", "0.5"},          {"mass", "1"},     {"scale", "1.25"},   {"weight", "0.5"},   {"gain", "0.5"}};
  return look_up(table, name, "0.5");
}

std::string whole_by_name(const std::string& name) {
  static const Table table = {{"radius", "3"},   {"halo", "1"},  {"shift", "1"}, {"offset", "0"},
                              {"seed", "12345"}, {"flag", "1"},  {"mode", "1"},  {"amount", "8"},
                              {"start", "0"},    {"begin", "0"}, {"level", "2"}, {"stride", "1"},
                              {"inc", "1"},      {"root", "0"},  {"base", "0"}};
  return look_up(table, name, "1");
}

long long small_size_by_name(const std::string& name) {
  static const Table table = {
      {"timesteps", "10"}, {"nsteps", "10"},    {"steps", "10"},   {"iterations", "10"}, {"niter", "10"},
      {"iters", "10"},     {"iter", "10"},      {"tmax", "10"},    {"sweeps", "4"},      {"maxit", "10"},
      {"ncomp", "3"},      {"component", "3"},  {"taps", "8"},     {"ntypes", "2"},      {"types", "2"},
      {"tables", "4"},     {"groups", "8"},     {"channels", "3"}, {"dims", "3"},        {"ndim", "3"},
      {"order", "4"},      {"radius", "3"},     {"halo", "1"},     {"ghost", "1"},       {"nghost", "1"},
      {"maxneigh", "32"},  {"max_neigh", "32"}, {"maxnbr", "32"},  {"nclusters", "16"},  {"degree", "8"},
      {"bins", "256"},     {"levels", "256"},   {"knots", "1024"}};
  return std::stoll(look_up(table, name, "0"));
}

}  // namespace noctune
