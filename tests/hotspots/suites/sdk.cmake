set(names binomial-options bitonic-sort black-scholes fast-walsh floyd-warshall haar-wavelet histogram
    matrix-multiplication matrix-transpose reduction simple-convolution vector-add)
list(TRANSFORM names PREPEND hotspots/sdk/)
noctune_suite_test(sdk SOURCES ${names})

# Candidates beside the entries they stand in for, as <entry>_good, <entry>_slow and <entry>_wrong.
foreach(name floyd-warshall histogram matrix-transpose)
  string(REPLACE - _ entry ${name})
  foreach(version good slow wrong)
    set(source ${PROJECT_SOURCE_DIR}/hotspots/sdk/candidates/${name}/${version}.cpp)
    add_library(suites_sdk_${name}_${version} OBJECT ${source})
    target_compile_definitions(suites_sdk_${name}_${version} PRIVATE ${entry}=${entry}_${version})
    target_link_libraries(suites_sdk_${name}_${version} PRIVATE noctune_flags OpenMP::OpenMP_CXX)
    target_link_libraries(suites_sdk_test PRIVATE suites_sdk_${name}_${version})
  endforeach()
endforeach()
