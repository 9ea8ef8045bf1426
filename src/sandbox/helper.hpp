// The helper's loop: takes requests from its rank, gives each a warden, and watches the wardens.
#pragma once

#include <map>

#include "base/sandbox_protocol.hpp"
#include "sandbox/reaper.hpp"

namespace noctune {

// Runs in a fresh, single-threaded process that holds no descriptors but the control socket and 0 to 2.
class Helper {
 public:
  // Becomes a session leader and a child subreaper, unreadable for its children, all signals blocked.
  explicit Helper(Descriptor control);
  // Returns when the rank has gone and everything that was started is dead.
  void serve();

 private:
  struct Job {
    std::uint64_t id = 0;
    double kill_at = 0;  // its warden should long have answered by then
    bool overdue = false;
  };
  struct Lost {
    std::uint64_t id = 0;
    ChildOutcome outcome;
    double answer_at = 0;  // at the latest, even when not all of its tree could be killed
  };

  void wait_for_events();
  void receive();
  void lose(const Job& job, int status);
  void start(SandboxPacket packet);
  void start_warden(std::uint64_t job, ChildRequest request, std::vector<Descriptor> passed);
  void cancel(std::uint64_t job);
  void cancel_all();
  void reap();
  void kill_overdue();
  void sweep();
  void refuse(std::uint64_t job, std::string reason);
  void answer(std::uint64_t job, const ChildOutcome& outcome);
  void send_waiting();
  void shut_down();
  std::vector<pid_t> wardens() const;
  double next_wake() const;

  Descriptor control_, signals_;
  Reaper reaper_;
  ProcessTree tree_;
  std::map<pid_t, Job> jobs_;  // by warden
  std::vector<Lost> lost_;     // their warden was killed; answered when no orphan is left
  std::vector<SandboxPacket> waiting_;
  int quiet_rounds_ = 0;  // in a row, in which no orphan was seen
  bool rank_gone_ = false;
};

}  // namespace noctune
