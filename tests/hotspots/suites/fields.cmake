noctune_suite_test(fields SOURCES hotspots/apps/spmv/spmv hotspots/apps/cross-section/cross-section
                                  hotspots/apps/stencil-halo/stencil-halo hotspots/apps/n-body/n-body)

# Candidates of spmv and n-body, each under a name of its own: spmv_good and so on.
foreach(name spmv n-body)
  string(REPLACE - _ entry ${name})
  foreach(candidate good slow wrong)
    set(object suites_fields_${name}_${candidate})
    add_library(${object} OBJECT ${PROJECT_SOURCE_DIR}/hotspots/apps/${name}/candidates/${candidate}.cpp)
    target_compile_definitions(${object} PRIVATE ${entry}=${entry}_${candidate})
    target_link_libraries(${object} PRIVATE noctune_flags OpenMP::OpenMP_CXX)
    target_link_libraries(suites_fields_test PRIVATE ${object})
  endforeach()
endforeach()
