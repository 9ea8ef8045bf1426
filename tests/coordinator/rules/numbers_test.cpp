// Everything that the rules propose for the shipped hotspots builds without warnings and computes the same.
#include <gtest/gtest.h>

#include <cstdlib>

#include "coordinator/rules/trial.hpp"

namespace noctune {
namespace {

using namespace rules_test;

class ProposedNumbers : public testing::TestWithParam<std::string> {};

double tolerance_of(const Hotspot& hotspot) {
  for (const ParamSpec& param : hotspot.context.spec.params)
    if (param.is_pointer() && param.type.find("float") != std::string::npos) return 1e-5;
  return 1e-13;
}

// The openings, and then what refines the first of them.
std::vector<RuleProposal> many_proposals(const RuleBook& book) {
  std::vector<RuleProposal> proposals = book.propose("", {}, 7);
  std::vector<RuleOutcome> tried;
  for (const RuleProposal& proposal : proposals) tried.push_back({proposal.recipe, Verdict::ok, 1});
  const auto refined = proposals.empty() ? proposals : book.propose(proposals[0].recipe, tried, 6);
  proposals.insert(proposals.end(), refined.begin(), refined.end());
  return proposals;
}

TEST_P(ProposedNumbers, AgreeWithTheOriginal) {
  const Hotspot hotspot = load_hotspot(GetParam());
  const auto book = RuleBook::read(hotspot.context);
  ASSERT_TRUE(book) << book.error().text();
  const std::vector<RuleProposal> proposals = many_proposals(*book);
  ASSERT_GE(proposals.size(), 3u);
  const Trial trial(hotspot, proposals);
  ASSERT_FALSE(hotspot.cases.empty());
  for (std::size_t i = 0; i < proposals.size(); ++i)
    for (const auto& sizes : hotspot.cases)
      EXPECT_LE(trial.error_of(i + 1, sizes), tolerance_of(hotspot)) << proposals[i].recipe << "\n"
                                                                     << proposals[i].source;
}

// Shapes with more blocks than the cases of the specs have.
TEST(Numbers, AgreeForLongAndFlatMatrices) {
  const Hotspot gemm = load_hotspot("gemm"), syrk = load_hotspot("syrk"), doitgen = load_hotspot("doitgen");
  const auto versions = [](const Hotspot& hotspot) {
    const auto book = value_or_throw(RuleBook::read(hotspot.context));
    return std::vector<RuleProposal>{
        value_or_throw(book.apply("localise;contract")),
        value_or_throw(book.apply("localise;contract(block=8,panels=1,rows=3,vectors=2)"))};
  };
  const Trial gemms(gemm, versions(gemm)), syrks(syrk, versions(syrk)), doitgens(doitgen, versions(doitgen));
  for (std::size_t i = 1; i <= 2; ++i) {
    EXPECT_LE(gemms.error_of(i, {{"m", 1100}, {"n", 70}, {"k", 9}}), 1e-13);
    EXPECT_LE(gemms.error_of(i, {{"m", 5}, {"n", 900}, {"k", 1}}), 1e-13);
    EXPECT_LE(syrks.error_of(i, {{"n", 900}, {"k", 5}}), 1e-13);
    EXPECT_LE(doitgens.error_of(i, {{"nr", 31}, {"nq", 40}, {"np", 61}}), 1e-13);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hotspots, ProposedNumbers, testing::ValuesIn(hotspot_names()), test_name);

// More threads than rows in the smallest cases, and more than one where the machine has a single core.
const bool threads_set =
    setenv("OMP_NUM_THREADS", "3", 1) == 0 && setenv("OMP_WAIT_POLICY", "passive", 1) == 0;

}  // namespace
}  // namespace noctune
