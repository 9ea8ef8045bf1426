#include "base/sandbox_protocol.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace noctune {
namespace {

ChildRequest some_request() {
  ChildRequest request;
  request.argv = {"g++", "", "two words", std::string("nul\0inside", 10)};
  request.working_folder = "/tmp/a folder";
  request.environment = {"A=1", "B="};
  request.deadline_s = 1.25;
  request.grace_s = 0.125;
  request.memory_bytes = 1LL << 40;
  request.reserves_memory = true;
  request.file_bytes = 7;
  request.processes = 9;
  request.output_bytes = 11;
  request.cpus = {0, 5, 1023};
  request.nice = -3;
  request.descriptors = {{4, 10}, {5, 11}};
  request.folder_bytes = 13;
  request.folder_files = 17;
  request.confinement = {true, true, CallFilter::candidate, {"/usr"}, {"/a", "/b"}, {"/c"}};
  return request;
}

TEST(SandboxProtocol, RequestsComeBackWhole) {
  const ChildRequest sent = some_request();
  const auto got = decode_request(encode(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->argv, sent.argv);
  EXPECT_EQ(got->working_folder, sent.working_folder);
  EXPECT_EQ(got->environment, sent.environment);
  EXPECT_EQ(got->deadline_s, sent.deadline_s);
  EXPECT_EQ(got->grace_s, sent.grace_s);
  EXPECT_EQ(got->memory_bytes, sent.memory_bytes);
  EXPECT_EQ(got->reserves_memory, sent.reserves_memory);
  EXPECT_EQ(got->file_bytes, sent.file_bytes);
  EXPECT_EQ(got->processes, sent.processes);
  EXPECT_EQ(got->output_bytes, sent.output_bytes);
  EXPECT_EQ(got->cpus, sent.cpus);
  EXPECT_EQ(got->nice, sent.nice);
  EXPECT_EQ(got->descriptors, sent.descriptors);
  EXPECT_EQ(got->folder_bytes, sent.folder_bytes);
  EXPECT_EQ(got->folder_files, sent.folder_files);
  EXPECT_TRUE(got->confinement.files);
  EXPECT_TRUE(got->confinement.outreach);
  EXPECT_EQ(got->confinement.calls, CallFilter::candidate);
  EXPECT_EQ(got->confinement.readable, sent.confinement.readable);
  EXPECT_EQ(got->confinement.writable, sent.confinement.writable);
  EXPECT_EQ(got->confinement.consumable, sent.confinement.consumable);
}

TEST(SandboxProtocol, SupportComesBackWhole) {
  const auto got = decode_support(encode(SandboxSupport{1, 2, 3, 4, 5}));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->landlock_version, 1);
  EXPECT_EQ(got->landlock_error, 2);
  EXPECT_EQ(got->seccomp_error, 3);
  EXPECT_EQ(got->privileges_error, 4);
  EXPECT_EQ(got->pidfd_error, 5);
  EXPECT_FALSE(decode_support("short"));
}

TEST(SandboxProtocol, OutcomesComeBackWhole) {
  ChildOutcome sent;
  sent.end = ChildOutcome::End::memory;
  sent.exit_code = 1;
  sent.signal = 9;
  sent.seconds = 0.5;
  sent.cpu_seconds = 0.25;
  sent.peak_bytes = 1LL << 33;
  sent.left_processes = true;
  sent.output = std::string("a\0b", 3);
  sent.reason = "because";
  const auto got = decode_outcome(encode(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->end, sent.end);
  EXPECT_EQ(got->exit_code, 1);
  EXPECT_EQ(got->signal, 9);
  EXPECT_EQ(got->seconds, 0.5);
  EXPECT_EQ(got->cpu_seconds, 0.25);
  EXPECT_EQ(got->peak_bytes, sent.peak_bytes);
  EXPECT_TRUE(got->left_processes);
  EXPECT_EQ(got->output, sent.output);
  EXPECT_EQ(got->reason, sent.reason);
}

TEST(SandboxProtocol, DamagedBytesAreRefused) {
  const std::string whole = encode(some_request());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(decode_request(std::string_view(whole).substr(0, length))) << length;
  EXPECT_FALSE(decode_request(whole + "x"));
  EXPECT_FALSE(decode_request(std::string(64, '\xff')));  // a list of absurd length
  std::string bad_end = encode(ChildOutcome{});
  bad_end[0] = 99;
  EXPECT_FALSE(decode_outcome(bad_end));
}

class SandboxSocket : public testing::Test {
 protected:
  SandboxSocket() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    here_ = Descriptor(ends[0]);
    there_ = Descriptor(ends[1]);
  }
  Descriptor here_, there_;
};

TEST_F(SandboxSocket, CarriesBodyAndDescriptors) {
  SandboxPacket sent{SandboxMessage::run, 77, {}};
  const std::string body(3 << 20, 'b');
  ASSERT_TRUE(add_body(sent, body));
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  const Descriptor reader(pipe[0]);
  sent.descriptors.emplace_back(pipe[1]);
  ASSERT_EQ(send_packet(here_.get(), sent, 0), 0);
  sent.descriptors.clear();
  SandboxPacket got;
  ASSERT_EQ(receive_packet(there_.get(), got), Receive::packet);
  EXPECT_EQ(got.kind, SandboxMessage::run);
  EXPECT_EQ(got.job, 77U);
  ASSERT_EQ(got.descriptors.size(), 2U);
  EXPECT_EQ(take_body(got).value_or(""), body);
  ASSERT_EQ(got.descriptors.size(), 1U);
  EXPECT_EQ(::fcntl(got.descriptors[0].get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::write(got.descriptors[0].get(), "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(reader.get(), &byte, 1), 1);
}

TEST_F(SandboxSocket, TellsNothingFromClosed) {
  SandboxPacket got;
  EXPECT_EQ(receive_packet(there_.get(), got), Receive::nothing);
  here_.reset();
  EXPECT_EQ(receive_packet(there_.get(), got), Receive::closed);
  EXPECT_EQ(send_packet(there_.get(), {}, 0), EPIPE);  // and no signal
}

TEST_F(SandboxSocket, ForeignPacketsAreBroken) {
  SandboxPacket got;
  ASSERT_EQ(::send(here_.get(), "hello, who is there?....", 24, 0), 24);
  EXPECT_EQ(receive_packet(there_.get(), got), Receive::broken);
  ASSERT_EQ(::send(here_.get(), "short", 5, 0), 5);
  EXPECT_EQ(receive_packet(there_.get(), got), Receive::broken);
}

TEST_F(SandboxSocket, TooManyDescriptorsAreRefusedBeforeSending) {
  SandboxPacket sent;
  for (int i = 0; i < 300; ++i) sent.descriptors.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(send_packet(here_.get(), sent, 0), E2BIG);
}

TEST(SandboxBody, MissingBodyIsAnError) {
  SandboxPacket empty;
  EXPECT_FALSE(take_body(empty));
}

}  // namespace
}  // namespace noctune
