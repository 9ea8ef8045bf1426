#include "evaluator/profile/machine_code.hpp"

#include <gmock/gmock.h>

#include <random>

namespace noctune {
namespace {

// Lines in the form of cuobjdump, written by hand.
constexpr const char* listing = R"(
Fatbin elf code:
================
arch = sm_90
code version = [1,7]
host = linux

	code for sm_90
		Function : _Z4copyPK6float4PS_
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                          /* 0x00000a00ff017b82 */
                                                                                   /* 0x000fe20000000800 */
        /*0010*/                   S2R R7, SR_TID.X ;                              /* 0x0000000000077919 */
        /*0050*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;       /* 0x0000000402047981 */
        /*0060*/                   LDG.E.128 R8, desc[UR4][R2.64+0x10] ;           /* 0x0000000402047981 */
        /*0070*/                   LDG.E R12, desc[UR4][R2.64] ;
        /*0080*/                   LDG.E.U8 R13, desc[UR4][R2.64] ;
        /*0090*/                   LDG.E.64 R14, desc[UR4][R2.64] ;
        /*00a0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*00b0*/                   HMMA.16816.F32 R4, R8, R12, R4 ;
        /*00c0*/                   HGMMA.64x256x16.F32 R24, gdesc[UR8], R24, !UPT ;
        /*00d0*/               @P1 ATOMG.E.CAS.STRONG.GPU PT, R3, [R2], R4, R5 ;
        /*00e0*/                   ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, RZ, desc[UR4][R2.64], R5 ;
        /*00f0*/                   STG.E.128 desc[UR4][R2.64], R4 ;
        /*0100*/                   EXIT ;
)";

TEST(MachineCode, CountsLoadsByWidthBarriersAndMatrixInstructions) {
  const CodeCounts found = counts_from_sass(listing);
  EXPECT_EQ(found.loads, 5);
  EXPECT_EQ(found.load_lane_bytes, 16);
  EXPECT_NEAR(found.narrow_load_share.value_or(-1), 5.0 / 45, 1e-12);
  EXPECT_EQ(found.barriers, 1);
  EXPECT_EQ(found.matrix_instructions, 2);
  EXPECT_EQ(found.swap_loops, 1);
  EXPECT_FALSE(found.load_waits);
}

TEST(MachineCode, WithoutInstructionsNothingIsKnown) {
  for (const char* text : {"", "cuobjdump fatal: no such file", "/*0000*/", "/*0000*/ ;", "*/ LDG /*;"})
    EXPECT_FALSE(counts_from_sass(text).loads) << text;
  const CodeCounts none = counts_from_sass("        /*0000*/   EXIT ;\n");
  EXPECT_EQ(none.loads, 0);
  EXPECT_FALSE(none.load_lane_bytes);
}

TEST(MachineCode, AnyTextIsReadWithoutHarm) {
  std::mt19937 random(7);
  const std::string alphabet = "/*0 LDG.E128@P;{}\n\tBAR";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = 0; i < random() % 200; ++i) text += alphabet[random() % alphabet.size()];
    const CodeCounts found = counts_from_sass(text);
    EXPECT_LE(found.narrow_load_share.value_or(0), 1);
  }
}

}  // namespace
}  // namespace noctune
