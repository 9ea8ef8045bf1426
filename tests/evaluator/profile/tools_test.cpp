// Every tool speaks on its case, is silent on the opposite, and is silent where its inputs are missing.
#include "evaluator/profile/tools/tools.hpp"

#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using enum BottleneckClass;

class Tools : public ::testing::Test {
 protected:
  // The hint, checked to be well-formed.
  Hint spoken(const ProfileTool& tool) const {
    const auto hint = tool.run(facts, context);
    EXPECT_TRUE(hint) << tool.name;
    if (!hint) return {};
    EXPECT_THAT(hint->message, Not(IsEmpty()));
    EXPECT_THAT(hint->evidence, ::testing::ContainsRegex("[0-9]"));
    EXPECT_TRUE(hint->severity >= 0 && hint->severity <= 1) << hint->severity;
    EXPECT_TRUE(hint->gain_bound > 0 && hint->gain_bound <= 1) << hint->gain_bound;
    EXPECT_TRUE(hint->confidence > 0 && hint->confidence <= 1) << hint->confidence;
    return *hint;
  }
  bool is_silent(const ProfileTool& tool) const { return !tool.run(facts, context); }

  ProfileFacts facts = counted();
  HintContext context;
};

TEST_F(Tools, AreSilentWithoutInputs) {
  for (const ProfileTool* tool :
       {&coalescing_tool, &excess_traffic_tool, &l2_locality_tool, &access_width_tool, &spills_tool,
        &occupancy_tool, &bank_conflicts_tool, &memory_latency_tool, &barriers_tool, &tail_tool,
        &launch_bound_tool, &pipe_mix_tool, &matrix_unit_tool, &divergence_tool, &atomics_tool})
    for (const Vendor vendor : {Vendor::nvidia, Vendor::amd, Vendor::hygon}) {
      context.vendor = vendor;
      EXPECT_TRUE(is_silent(*tool)) << tool->name;
    }
}

TEST_F(Tools, Coalescing) {
  context.dtype = "f32";
  facts.sectors_per_load = 4;
  EXPECT_TRUE(is_silent(coalescing_tool));
  facts.sectors_per_load = 12.5;
  EXPECT_THAT(spoken(coalescing_tool).evidence, HasSubstr("load touches 12.5 sectors where 4 would do"));
  facts.sectors_per_load = 4;
  facts.sectors_per_store = 32;
  EXPECT_THAT(spoken(coalescing_tool).evidence, HasSubstr("store touches 32"));
  EXPECT_TRUE(coalescing_tool.applies(memory, Vendor::nvidia));
  EXPECT_FALSE(coalescing_tool.applies(compute, Vendor::nvidia));
}

TEST_F(Tools, CoalescingTakesWideLoadsForWhatTheyAre) {
  context.dtype = "f32";
  facts.sectors_per_load = 16;  // float4, or a stride of four: cannot be told apart
  EXPECT_TRUE(is_silent(coalescing_tool));
  context.code.load_lane_bytes = 16;
  EXPECT_TRUE(is_silent(coalescing_tool));
  context.code.load_lane_bytes = 4;
  EXPECT_NEAR(spoken(coalescing_tool).gain_bound, 0.75, 1e-9);
  facts.sectors_per_load = 4;
  facts.sectors_per_store = 16;  // stores may be wider than loads
  EXPECT_TRUE(is_silent(coalescing_tool));
  facts.sectors_per_store.reset();
  context = {};
  facts.sectors_per_load = 12;  // without a type nothing is known below 24
  EXPECT_TRUE(is_silent(coalescing_tool));
  facts.sectors_per_load = 30;  // no width explains this
  spoken(coalescing_tool);
}

TEST_F(Tools, CoalescingOnAmd) {
  context.vendor = Vendor::amd;
  facts.memory_stalled = 0.5;
  EXPECT_TRUE(is_silent(coalescing_tool));
  context.code.narrow_load_share = 0.9;
  spoken(coalescing_tool);
  facts.memory_stalled = 0.05;
  EXPECT_TRUE(is_silent(coalescing_tool));
}

TEST_F(Tools, ExcessTraffic) {
  facts.dram_bytes = 3e6;
  EXPECT_TRUE(is_silent(excess_traffic_tool));
  context.compulsory_bytes = 1e6;
  EXPECT_THAT(spoken(excess_traffic_tool).evidence, HasSubstr("3 times the 1.0 MB"));
  EXPECT_NEAR(spoken(excess_traffic_tool).gain_bound, 2.0 / 3, 1e-9);
  context.compulsory_bytes = 2.9e6;
  EXPECT_TRUE(is_silent(excess_traffic_tool));
}

TEST_F(Tools, L2Locality) {
  facts.l2_hit = 0.2;
  context.working_set_bytes = 200e6;
  context.ceilings.l2_bytes = 60e6;
  EXPECT_TRUE(is_silent(l2_locality_tool));
  context.reuse_possible = true;
  EXPECT_THAT(spoken(l2_locality_tool).evidence, HasSubstr("200.0 MB are live against 60.0 MB"));
  context.working_set_bytes = 20e6;
  EXPECT_TRUE(is_silent(l2_locality_tool));
  context.working_set_bytes = 200e6;
  facts.l2_hit = 0.7;
  EXPECT_TRUE(is_silent(l2_locality_tool));
}

TEST_F(Tools, AccessWidth) {
  context.code.narrow_load_share = 0.95;
  EXPECT_TRUE(is_silent(access_width_tool));
  context.wide_aligned = true;
  spoken(access_width_tool);
  context.code.narrow_load_share = 0.1;
  EXPECT_TRUE(is_silent(access_width_tool));
}

TEST_F(Tools, Spills) {
  facts.spill_bytes = 120;
  facts.registers = 255;
  EXPECT_THAT(spoken(spills_tool).evidence, HasSubstr("120 bytes of spilled registers a thread at 255"));
  facts.spill_bytes = 0;
  EXPECT_TRUE(is_silent(spills_tool));
  facts.local_share = 0.3;
  EXPECT_THAT(spoken(spills_tool).message, HasSubstr("indexed at run time"));
  facts.local_share = 0.01;
  EXPECT_TRUE(is_silent(spills_tool));
  facts.spill_bytes = 120;
  facts.local_share = 0;  // spilled where nothing runs
  EXPECT_TRUE(is_silent(spills_tool));
  EXPECT_TRUE(spills_tool.applies(launch, Vendor::hygon));
}

TEST_F(Tools, SpillsByTheStackAlone) {
  facts.spill_bytes = 0;
  facts.stack_bytes = 256;
  EXPECT_THAT(spoken(spills_tool).evidence, HasSubstr("256 bytes of stack"));
  facts.stack_bytes = 0;
  EXPECT_TRUE(is_silent(spills_tool));
}

TEST_F(Tools, Occupancy) {
  facts.block_size = 256;
  facts.registers = 96;
  facts.limit_registers = 2;
  facts.limit_shared = 8;
  facts.limit_blocks = 32;
  facts.limit_warps = 8;
  facts.occupancy_limit = 0.25;
  facts.warps_eligible = 0.4;
  context.ceilings.registers = 65536;
  const Hint hint = spoken(occupancy_tool);
  EXPECT_THAT(hint.message, HasSubstr("registers (96 a thread; 80 let one more block in), which gives 38 %"));
  EXPECT_NEAR(hint.gain_bound, 1 - 0.25 / 0.375, 1e-9);
  facts.warps_eligible = 1.5;
  EXPECT_TRUE(is_silent(occupancy_tool));
  facts.warps_eligible = 0.4;
  facts.occupancy_limit = 0.6;
  EXPECT_TRUE(is_silent(occupancy_tool));
}

TEST_F(Tools, OccupancyBySharedMemoryAndByTheCompilerAlone) {
  facts.registers = 128;
  facts.occupancy_limit = 0.25;
  EXPECT_THAT(spoken(occupancy_tool).message, HasSubstr("128 registers a thread"));
  facts.limit_registers = 8;
  facts.limit_shared = 2;
  facts.limit_blocks = 32;
  facts.limit_warps = 8;
  facts.shared_bytes = 100000;
  context.ceilings.shared_bytes = 233472;
  EXPECT_THAT(spoken(occupancy_tool).message, HasSubstr("100000 bytes a block; 76800 let one more block in"));
  facts.limit_registers = 2;
  EXPECT_THAT(spoken(occupancy_tool).message, HasSubstr("registers and shared memory alike"));
  facts.limit_registers = facts.limit_shared = 40;
  EXPECT_THAT(spoken(occupancy_tool).message, HasSubstr("more threads"));
}

TEST_F(Tools, BankConflicts) {
  facts.shared_instructions = 1000;
  facts.shared_wavefronts = 8000;
  facts.bank_conflicts = 7000;
  facts.stall_short_scoreboard = 0.4;
  derive_facts(facts);
  EXPECT_THAT(spoken(bank_conflicts_tool).evidence, HasSubstr("takes 8 turns, 7 of them for bank conflicts"));
  facts.shared_wavefronts = 4000;
  facts.bank_conflicts = 0;  // lanes of 16 bytes
  derive_facts(facts);
  EXPECT_TRUE(is_silent(bank_conflicts_tool));
  facts.shared_instructions = 0;  // wavefronts without an access
  EXPECT_TRUE(is_silent(bank_conflicts_tool));
}

TEST_F(Tools, BankConflictsOnAmd) {
  context.vendor = Vendor::hygon;
  facts.bank_conflict_share = 0.12;
  EXPECT_THAT(spoken(bank_conflicts_tool).evidence, HasSubstr("12 % of the time"));
  facts.bank_conflict_share = 0.02;
  EXPECT_TRUE(is_silent(bank_conflicts_tool));
}

TEST_F(Tools, MemoryLatency) {
  facts.stall_long_scoreboard = 0.72;
  facts.warps_eligible = 0.3;
  context.bottleneck.use.dram = 0.5;
  const Hint hint = spoken(memory_latency_tool);
  EXPECT_THAT(hint.evidence, HasSubstr("72 % of their time, 0.30 are ready"));
  EXPECT_NEAR(hint.gain_bound, 0.5, 1e-9);  // half of the time the memory is busy anyway
  facts.stall_long_scoreboard = 0.3;
  EXPECT_TRUE(is_silent(memory_latency_tool));
  facts.stall_long_scoreboard = 0.72;
  facts.warps_eligible = 2;
  EXPECT_TRUE(is_silent(memory_latency_tool));
}

TEST_F(Tools, MemoryLatencyOnAmd) {
  context.vendor = Vendor::amd;
  context.code.loads = 8;
  context.code.load_waits = 8;
  spoken(memory_latency_tool);
  context.code.load_waits = 2;
  EXPECT_TRUE(is_silent(memory_latency_tool));
}

TEST_F(Tools, Barriers) {
  facts.stall_barrier = 0.35;
  context.code.barriers = 4;
  EXPECT_THAT(spoken(barriers_tool).evidence, HasSubstr("35 % of their time; the code has 4 barriers"));
  facts.stall_barrier = 0.1;
  EXPECT_TRUE(is_silent(barriers_tool));
  context.vendor = Vendor::amd;
  facts.pipe_valu = 0.1;
  spoken(barriers_tool);
  facts.pipe_valu = 0.7;
  EXPECT_TRUE(is_silent(barriers_tool));
}

TEST_F(Tools, WavesAndTail) {
  facts.waves = 0.25;
  facts.blocks = 66;
  context.ceilings.multiprocessors = 132;
  EXPECT_THAT(spoken(tail_tool).evidence, HasSubstr("66 blocks on 132 multiprocessors"));
  EXPECT_NEAR(spoken(tail_tool).gain_bound, 0.75, 1e-9);
  facts.waves = 1.1;
  EXPECT_THAT(spoken(tail_tool).evidence, HasSubstr("the last one fills 10 %"));
  for (const double waves : {1.0, 1.9, 31.03}) {
    facts.waves = waves;
    EXPECT_TRUE(is_silent(tail_tool)) << waves;
  }
}

TEST_F(Tools, LaunchBound) {
  context.call_seconds = 20e-6;
  context.graph_seconds = 8e-6;
  facts.launches = 4;
  const Hint hint = spoken(launch_bound_tool);
  EXPECT_THAT(hint.evidence, HasSubstr("12.00 us of 20.00 us is launching"));
  EXPECT_THAT(hint.message, HasSubstr("fuse the 4 kernels"));
  context.graph_seconds = 19e-6;
  EXPECT_TRUE(is_silent(launch_bound_tool));
  context.graph_seconds.reset();
  context.ceilings.launch_seconds = 3e-6;
  spoken(launch_bound_tool);
  facts.launches = 1;
  EXPECT_TRUE(is_silent(launch_bound_tool));
}

TEST_F(Tools, PipeMix) {
  facts.pipe_fma = 0.2;
  facts.pipe_xu = 0.1;
  facts.pipe_alu = 0.7;
  EXPECT_THAT(spoken(pipe_mix_tool).evidence, HasSubstr("the integer pipe is busy 70 %"));
  facts.pipe_xu = 0.8;
  EXPECT_THAT(spoken(pipe_mix_tool).message, HasSubstr("reciprocals"));
  facts.pipe_fma = 0.9;
  EXPECT_TRUE(is_silent(pipe_mix_tool));
  facts.pipe_fp64 = 0.4;
  EXPECT_TRUE(is_silent(pipe_mix_tool));
  context.dtype = "f32";
  EXPECT_THAT(spoken(pipe_mix_tool).message, HasSubstr("literal"));
  context.dtype = "f64";
  EXPECT_TRUE(is_silent(pipe_mix_tool));
}

TEST_F(Tools, PipeMixOnAmd) {
  context.vendor = Vendor::amd;
  facts.pipe_valu = 0.3;
  facts.pipe_salu = 0.6;
  spoken(pipe_mix_tool);
  facts.pipe_salu = 0.1;
  EXPECT_TRUE(is_silent(pipe_mix_tool));
}

TEST_F(Tools, MatrixUnit) {
  facts.pipe_tensor = 0;
  context.contraction = true;
  EXPECT_TRUE(is_silent(matrix_unit_tool));
  context.matrix_types = "fp16, tf32";
  context.dtype = "f32";
  context.ceilings.flops_fp32 = 60e12;
  context.ceilings.flops_matrix = 300e12;
  EXPECT_NEAR(spoken(matrix_unit_tool).gain_bound, 0.8, 1e-9);
  EXPECT_THAT(spoken(matrix_unit_tool).message,
              HasSubstr("mma instructions; the tolerance allows fp16, tf32"));
  facts.pipe_tensor = 0.4;
  EXPECT_TRUE(is_silent(matrix_unit_tool));
  facts.pipe_tensor.reset();
  context.vendor = Vendor::hygon;
  context.code.matrix_instructions = 0;
  EXPECT_THAT(spoken(matrix_unit_tool).message, HasSubstr("MMAC"));
  context.contraction = false;
  EXPECT_TRUE(is_silent(matrix_unit_tool));
}

TEST_F(Tools, Divergence) {
  facts.lanes_active = 0.5;
  EXPECT_THAT(spoken(divergence_tool).evidence, HasSubstr("16 of 32 lanes"));
  facts.lanes_active = 0.9;
  EXPECT_TRUE(is_silent(divergence_tool));
  context.vendor = Vendor::amd;
  facts.lanes_active = 0.86;
  EXPECT_TRUE(is_silent(divergence_tool));
  facts.lanes_active = 0.25;
  EXPECT_THAT(spoken(divergence_tool).evidence, HasSubstr("16 of 64 lanes"));
}

TEST_F(Tools, Atomics) {
  facts.atomic_requests = 1000;
  facts.atomic_share = 0.3;
  EXPECT_THAT(spoken(atomics_tool).evidence, HasSubstr("30 % of the sectors"));
  facts.atomic_share = 0.05;
  EXPECT_TRUE(is_silent(atomics_tool));
  facts.stall_lg_throttle = 0.5;
  EXPECT_THAT(spoken(atomics_tool).evidence, HasSubstr("50 % of their time"));
  facts.atomic_requests = 0;
  EXPECT_TRUE(is_silent(atomics_tool));
  context.vendor = Vendor::amd;
  context.code.swap_loops = 2;
  EXPECT_THAT(spoken(atomics_tool).evidence, HasSubstr("2 atomics"));
  context.code.swap_loops = 0;
  EXPECT_TRUE(is_silent(atomics_tool));
}

}  // namespace
}  // namespace noctune
