// The messages between a rank and its noctune-sandbox: one packet each on a SOCK_SEQPACKET pair.
// A packet is a fixed header; what may be large (a request, an outcome with its output) travels in a memory
// file that is the packet's first descriptor, so no socket buffer limits it. Both ends come from one build.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/process_types.hpp"

namespace noctune {

enum class SandboxMessage : std::uint32_t {
  hello = 1,   // helper -> rank, once: SandboxSupport
  run,         // rank -> helper: ChildRequest, then the descriptors it passes on
  cancel,      // rank -> helper: one job
  cancel_all,  // rank -> helper
  outcome      // helper -> rank: ChildOutcome
};

// Owns its descriptors: those to be sent, or those received.
struct SandboxPacket {
  SandboxMessage kind = SandboxMessage::hello;
  std::uint64_t job = 0;
  std::vector<Descriptor> descriptors = {};
};

// Puts the body into a memory file, as the packet's next descriptor.
Result<void> add_body(SandboxPacket& packet, std::string_view body);
// The body that add_body made; removes its descriptor from the packet.
Result<std::string> take_body(SandboxPacket& packet);

// 0, or errno of sendmsg; `flags` as for sendmsg. Never raises SIGPIPE.
int send_packet(int socket, const SandboxPacket& packet, int flags);

enum class Receive { packet, nothing, closed, broken };
// Never waits: `nothing` when none is there. `broken`: not one of ours, or its descriptors got lost.
Receive receive_packet(int socket, SandboxPacket& packet);

std::string encode(const ChildRequest& request);
std::string encode(const ChildOutcome& outcome);
std::string encode(const SandboxSupport& support);
Result<ChildRequest> decode_request(std::string_view bytes);
Result<ChildOutcome> decode_outcome(std::string_view bytes);
Result<SandboxSupport> decode_support(std::string_view bytes);

}  // namespace noctune
