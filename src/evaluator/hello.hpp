// A kernel so small that nothing but the machinery can fail: what is built, checked and timed to try it.
#pragma once

#include "model/task.hpp"

namespace noctune {

PrepareTask hello_task(PlatformSettings platform);

}  // namespace noctune
