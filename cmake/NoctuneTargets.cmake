# noctune_library, noctune_test: one library per room, one test program per source file.
add_library(noctune_flags INTERFACE)
target_compile_features(noctune_flags INTERFACE cxx_std_20)
target_compile_options(noctune_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                               -Wcast-qual -Wundef -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 raises false alarms: -Wrestrict on std::string (GCC bug 105651), -Wmismatched-new-delete on Asio's
  # coroutine frames.
  target_compile_options(noctune_flags INTERFACE -fcoroutines -Wno-restrict -Wno-mismatched-new-delete)
endif()
if(NOCTUNE_WERROR)
  target_compile_options(noctune_flags INTERFACE -Werror)
endif()
if(NOCTUNE_SANITIZE)
  target_compile_options(noctune_flags INTERFACE -fsanitize=${NOCTUNE_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(noctune_flags INTERFACE -fsanitize=${NOCTUNE_SANITIZE})
  if(NOCTUNE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio has fences that ThreadSanitizer does not see; all of its state is behind mutexes as well.
    target_compile_options(noctune_flags INTERFACE -Wno-tsan)
  endif()
endif()
target_include_directories(noctune_flags INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/src)

# For tests and benchmarks: #include "places.hpp".
configure_file(${CMAKE_CURRENT_LIST_DIR}/places.hpp.in ${PROJECT_BINARY_DIR}/places/places.hpp @ONLY)
add_library(noctune_places INTERFACE)
target_include_directories(noctune_places INTERFACE ${PROJECT_BINARY_DIR}/places)

# noctune_library(<room> SOURCES ... DEPENDS <rooms and libraries>)
function(noctune_library room)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(noctune_${room} STATIC ${arg_SOURCES})
  target_link_libraries(noctune_${room} PUBLIC noctune_flags noctune_third_party ${arg_DEPENDS})
endfunction()

# Labels of tests that compile kernels, measure or try to break out: what they find depends on the build's options.
# With NOCTUNE_BUILD_UNIT_TESTS=OFF only these are in the default target; a sanitizer's leaves out what only compiles.
# scripts/test.sh reads the list from the cache.
set(NOCTUNE_OPTIMISED_LABELS "compiles|compiler|openmp|hotspots|exploits|style|timing|soak|mpi" CACHE INTERNAL "")

# noctune_test(<name> SOURCES ... DEPENDS ... [LABELS ...] [TIMEOUT s]): a GoogleTest program, one ctest entry.
# It runs in the source tree's root; binaries under test are found through NOCTUNE_BINARY_DIR.
function(noctune_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  # A limit only ends what hangs: sanitizers slow string work down fiftyfold.
  if(NOCTUNE_SANITIZE)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  if((NOT NOCTUNE_BUILD_UNIT_TESTS AND NOT arg_LABELS MATCHES "${NOCTUNE_OPTIMISED_LABELS}")
     OR (NOCTUNE_SANITIZE AND arg_LABELS MATCHES "compile"))
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  target_link_libraries(${name} PRIVATE noctune_flags noctune_third_party noctune_places ${arg_DEPENDS} GTest::gtest
                                        GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# noctune_mpi_test(<name> TARGET <program> NP 1 2 3): one ctest entry per rank count, under the MPI that was found.
# Rank counts beyond the machine's cores and the root user are allowed: tests are about correctness.
function(noctune_mpi_test name)
  cmake_parse_arguments(arg "" "TARGET;TIMEOUT" "NP" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  foreach(ranks ${arg_NP})
    add_test(NAME ${name}_np${ranks}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${arg_TARGET}>)
    set_tests_properties(${name}_np${ranks} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS mpi ENVIRONMENT
      "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_hwloc_base_binding_policy=none;OMPI_MCA_btl_vader_single_copy_mechanism=none")
  endforeach()
endfunction()
