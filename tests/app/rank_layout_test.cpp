#include "app/rank_layout.hpp"

#include <gmock/gmock.h>

#include <set>

#include "model/task_json.hpp"

namespace noctune {
namespace {

std::vector<RankIntroduction> ranks(const std::vector<std::string>& hosts) {
  std::vector<RankIntroduction> out;
  for (const std::string& host : hosts) out.push_back({static_cast<int>(out.size()), host, {0, 1}});
  return out;
}

TEST(EvaluatorRanks, AloneRankZeroDoesBoth) {
  EXPECT_EQ(evaluator_ranks(ranks({"a"})), (std::vector<int>{0}));
}

TEST(EvaluatorRanks, WithCompanyOnItsNodeRankZeroOnlyCoordinates) {
  EXPECT_EQ(evaluator_ranks(ranks({"a", "a", "a"})), (std::vector<int>{1, 2}));
  EXPECT_EQ(evaluator_ranks(ranks({"a", "b", "a", "b"})), (std::vector<int>{1, 2, 3}));
}

TEST(EvaluatorRanks, RankZeroServesWhereItsNodeWouldStandIdle) {
  EXPECT_EQ(evaluator_ranks(ranks({"a", "b", "b"})), (std::vector<int>{0, 1, 2}));
}

TEST(RankLayout, OfASingleProcessNeedsNoMpi) {
  const RankLayout layout = lay_out_alone();
  EXPECT_EQ(layout.evaluators, 1);
  EXPECT_TRUE(layout.evaluates);
  EXPECT_FALSE(layout.placement.measured_cpus.empty());
  const DeviceFacts facts = device_facts(layout);
  EXPECT_EQ(facts.rank, 0);
  EXPECT_FALSE(facts.host.empty());
  EXPECT_GE(facts.vector_bytes, 16);
}

// Ranks that all see the same GPUs of their node.
std::vector<RankIntroduction> gpu_ranks(const std::vector<std::string>& hosts, int gpus) {
  std::vector<RankIntroduction> out = ranks(hosts);
  for (RankIntroduction& rank : out)
    for (int i = 0; i < gpus; ++i) rank.gpus.push_back({"GPU-" + std::to_string(i), ""});
  return out;
}

TEST(EvaluatorRanks, RankZeroServesAGpuThatNobodyElseWouldUse) {
  EXPECT_EQ(evaluator_ranks(gpu_ranks({"a", "a", "a"}, 2)), (std::vector<int>{1, 2}));
  EXPECT_EQ(evaluator_ranks(gpu_ranks({"a", "a", "a"}, 3)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(evaluator_ranks(gpu_ranks({"a", "b", "a"}, 2)), (std::vector<int>{0, 1, 2}));
}

HostFacts sixteen_cores() {
  HostFacts host;
  host.name = "a";
  host.cpu_model = "a processor";
  for (int i = 0; i < 16; ++i) host.cores.push_back({0, {i}});
  return host;
}

FoundGpus two_gpus() {
  FoundGpus out;
  for (int i = 0; i < 2; ++i) {
    GpuInfo gpu;
    gpu.index = i;
    gpu.uuid = "GPU-" + std::to_string(i);
    gpu.name = "NVIDIA H200";
    gpu.architecture = "9.0";
    out.visible.push_back(gpu);
  }
  return out;
}

DeviceFacts facts_of(int rank, int count, FoundGpus gpus) {
  auto all = gpu_ranks(std::vector<std::string>(static_cast<std::size_t>(count), "a"), 2);
  for (RankIntroduction& one : all) {
    one.cpus.clear();
    for (int cpu = 0; cpu < 16; ++cpu) one.cpus.push_back(cpu);
  }
  return device_facts(lay_out(all, rank, sixteen_cores(), "cuda", std::move(gpus)));
}

TEST(GpuLayout, EachEvaluatorHasItsOwnGpuAndCores) {
  std::set<int> cpus;
  for (const int rank : {1, 2}) {
    const DeviceFacts facts = facts_of(rank, 3, two_gpus());
    EXPECT_EQ(facts.problem, "");
    EXPECT_EQ(facts.backend, "cuda");
    EXPECT_EQ(facts.name, "NVIDIA H200");
    EXPECT_EQ(facts.gpu.uuid, "GPU-" + std::to_string(rank - 1));
    EXPECT_EQ(facts.gpu.shared, "");
    EXPECT_EQ(facts.measured_cpus.size(), 2U);
    cpus.insert(facts.measured_cpus.begin(), facts.measured_cpus.end());
    cpus.insert(facts.build_cpus.begin(), facts.build_cpus.end());
  }
  EXPECT_EQ(cpus.size(), 16U);
}

TEST(GpuLayout, TurnsAndStrangersAreTold) {
  FoundGpus gpus = two_gpus();
  gpus.used_by["GPU-1"] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_THAT(facts_of(1, 4, gpus).gpu.shared, ::testing::StartsWith("in turns with rank 3; under Slurm"));
  EXPECT_EQ(facts_of(2, 4, gpus).gpu.shared,
            "also by process 1, 2, 3, 4, 5, 6, 7, 8 and 2 more, so its times cannot be trusted");
}

TEST(GpuLayout, WithoutAGpuTheDeviceCannotBeUsed) {
  std::vector<RankIntroduction> alone = ranks({"a"});
  FoundGpus none;
  none.notes = {"libnvidia-ml.so.1 cannot be loaded"};
  const DeviceFacts facts = device_facts(lay_out(alone, 0, sixteen_cores(), "cuda", none));
  EXPECT_EQ(facts.problem,
            "no GPU for the backend cuda can be used here; libnvidia-ml.so.1 cannot be loaded");
}

TEST(GpuLayout, AloneTheFirstVisibleOneIsTaken) {
  GpuLibraryPaths libraries;
  libraries.nvml = {NOCTUNE_FAKE_NVML_LIBRARY};
  const DeviceFacts facts = device_facts(lay_out_alone("cuda", libraries));
  EXPECT_EQ(facts.gpu.pci, "0000:3b:00.0");
  EXPECT_EQ(facts.gpu.minor, 3);
  EXPECT_FALSE(facts.measured_cpus.empty());
  const DeviceFacts sent = device_facts_from(to_json(facts));
  EXPECT_EQ(sent.gpu.uuid, facts.gpu.uuid);
  EXPECT_EQ(sent.gpu.memory_bytes, 150754820096LL);
  EXPECT_EQ(gpu_device_files(gpu_info(sent)).front(), "/dev/nvidia3");
}

}  // namespace
}  // namespace noctune
