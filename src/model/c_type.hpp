// Types as a spec writes them, as far as text tells: how to declare a name of one, what it points to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctune {

// A parameter's type as a C++ type: "double[3]*" and "double[n][3]" become "double (*)[3]", "int[8]" "int*".
std::string parameter_type(const std::string& type);

// "double (*x)[3]", "double x[3]", "const float* x".
std::string declared(const std::string& type, const std::string& name);

// Without __restrict__, which is of a parameter's declaration and gets in the way elsewhere.
std::string without_restrict(const std::string& type);

bool is_pointer_type(const std::string& type);
// Stars outside of brackets: two for a pointer to pointers.
int stars_of(const std::string& type);
// What a pointer points to, without qualifiers: "double[3]" for "const double (*)[3]", "Atom" for
// "const struct Atom*".
std::string pointee(const std::string& type);
// Extents of an array or of what a pointer to arrays points to: "3" for "double (*)[3]".
std::vector<std::string> extents_of(const std::string& type);
// The same as a number of elements, 1 where there are none; nothing where defines do not say what an extent
// is.
std::optional<long long> elements_per(const std::string& type,
                                      const std::map<std::string, std::string>& defines);

}  // namespace noctune
