# hotspot_originals and hotspot_handtuned: every kernel compiled as the campaigns compile it, its entry renamed to
# original_<entry> or tuned_<entry>, so that one program can hold both versions.
include_guard(GLOBAL)

set(NOCTUNE_HANDTUNED 2mm:two_mm atax:atax bicg:bicg conv2d:conv2d doitgen:doitgen gemm:gemm gesummv:gesummv
                      jacobi-2d:jacobi_2d mvt:mvt nbody:nbody syrk:syrk)
set(NOCTUNE_ORIGINALS ${NOCTUNE_HANDTUNED} fdtd-2d:fdtd_2d histogram:histogram spmv-csr:spmv_csr)

# noctune_entries(<target> <folder> <prefix> <file:entry>...)
function(noctune_entries target folder prefix)
  set(sources)
  foreach(pair ${ARGN})
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 file)
    list(GET pair 1 entry)
    set_source_files_properties(${folder}/${file}.cpp PROPERTIES COMPILE_DEFINITIONS "${entry}=${prefix}_${entry}")
    list(APPEND sources ${folder}/${file}.cpp)
  endforeach()
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  add_library(${target} STATIC ${sources})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -O3 -march=native -Wall -Wextra)
  target_link_libraries(${target} PUBLIC OpenMP::OpenMP_CXX)
  if(NOCTUNE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${NOCTUNE_SANITIZE} -fno-omit-frame-pointer -g)
  endif()
endfunction()

noctune_entries(hotspot_originals ${PROJECT_SOURCE_DIR}/hotspots original ${NOCTUNE_ORIGINALS})
noctune_entries(hotspot_handtuned ${PROJECT_SOURCE_DIR}/benchmarks/handtuned tuned ${NOCTUNE_HANDTUNED})
