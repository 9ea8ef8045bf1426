# cmake -DINPUT=copy.cu -DOUTPUT=copy.cpp -DPREFIX=naive -P cuda_on_cpu.cmake: a source of hotspots/cuda as C++ for
# cuda_on_cpu.hpp. Launches become calls, and the entry gets a prefix, so that one program can hold both versions.
file(READ ${INPUT} text)
string(REGEX REPLACE "([A-Za-z_0-9]+(<[a-z]+>)?)<<<([^;]*)>>>\\(([^;]*)\\);"
                     "cuda_on_cpu::launch([&] { \\1(\\4); }, \\3);" text "${text}")
string(REPLACE "extern \"C\" void " "void ${PREFIX}_" text "${text}")
if(text MATCHES "<<<")
  message(FATAL_ERROR "${INPUT}: a launch that cuda_on_cpu.cmake does not understand")
endif()
file(WRITE ${OUTPUT} "#line 1 \"${INPUT}\"\n${text}")
