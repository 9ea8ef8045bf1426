// Launches of a kernel that were recorded in a running application.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace noctune {

struct CapturedArgument {
  std::string name;     // of the kernel's parameter
  std::string type;     // of one element: "double", "int32_t", "bytes:24" for what has no name of its own
  std::string role;     // value, in, inout, out
  std::string value;    // by value: a number, or "0x..." for the bytes of a struct
  long long count = 0;  // buffers: elements
  std::string sha;      // buffers that were copied: SHA-256 of the contents
  long long offset = 0, length = 0;  // their place in /bytes of a packed file
};

struct CapturedLaunch {
  std::string kernel, backend;
  std::string grid, block;  // "8,4,1"; empty where nothing is launched
  long long shared = 0;     // bytes of dynamic shared memory
  long long weight = 1;     // launches of this shape, in all processes
  std::string symbol;       // while packing, of what was recorded without the application's help
  std::vector<CapturedArgument> arguments;
};

// What a source or a spec says of a kernel's parameters, in their order.
struct KernelParameters {
  struct Parameter {
    std::string name;
    std::string type;   // as declared: "const float* __restrict__", "int"
    std::string role;   // of buffers: in, inout, out; empty = as const says
    std::string count;  // of buffers: elements, an expression; empty = not said
  };
  std::string kernel;
  std::vector<Parameter> parameters;
  std::map<std::string, std::string> aliases = {};  // names of types: "real" = "float"
};

}  // namespace noctune
