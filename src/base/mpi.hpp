// MPI behind a thin layer: one process without a launcher acts as rank 0 of 1 and never calls MPI.
// Only the thread that made the session may use it. Nothing here blocks while work is out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct MpiMessage {
  int source = 0;
  int type = 0;  // 0: what arrived is no message
  std::uint64_t task = 0;
  std::string payload;
};

// MPI_Init to MPI_Finalize. Throws UserError when the launcher's process count and MPI's differ (a wrong
// --mpi).
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool active() const { return active_; }
  // Ends every rank without waiting for anybody; for failures only.
  [[noreturn]] void abort(int code) const;

  // Start-up only: every rank's text, gathered on all ranks in rank order (collective).
  std::vector<std::string> all_gather(const std::string& mine) const;

  // Queues a message; it leaves while poll() is called.
  void send(int to, int type, std::uint64_t task, std::string payload);
  // One arrived message, if any; also lets queued sends progress.
  std::optional<MpiMessage> poll();
  // True when nothing queued is still on its way.
  bool sent_all() const;

 private:
  struct Outgoing;
  void push_outgoing();

  bool active_ = false;
  int rank_ = 0, size_ = 1;
  std::vector<std::unique_ptr<Outgoing>> outbox_;
};

// "Open MPI v4.1.4 ..." as the library names itself; works before and without MPI_Init.
std::string mpi_library_version();
// What the launcher says about the number of processes; 0 where there is no launcher.
int launcher_process_count();
// This process's number by the launcher, known before MPI_Init; 0 where there is no launcher.
int launcher_rank();

}  // namespace noctune
