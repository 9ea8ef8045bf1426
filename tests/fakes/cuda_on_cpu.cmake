# cmake -DINPUT=copy.cu -DOUTPUT=copy.cpp -DPREFIX=naive -P cuda_on_cpu.cmake: a CUDA source as C++ for cuda_on_cpu.hpp.
# Launches become calls, shared memory is announced, and the entry gets a prefix, so that one program can hold several
# versions.
file(READ ${INPUT} text)
string(REGEX REPLACE "([A-Za-z_0-9]+(<[a-z]+>)?)<<<([^;]*)>>>\\(([^;]*)\\);"
                     "cuda_on_cpu::launch([&] { \\1(\\4); }, \\3);" text "${text}")
string(REGEX REPLACE "__shared__ [^;]*[ ]([a-z_0-9]+)(\\[[^;]*)?;"
                     "\\0 cuda_on_cpu::begin_shared(&\\1, sizeof(\\1));" text "${text}")
string(REPLACE "extern \"C\" void " "void ${PREFIX}_" text "${text}")
string(REGEX MATCHALL "__shared__" declared "${text}")
string(REGEX MATCHALL "begin_shared" begun "${text}")
list(LENGTH declared declared)
list(LENGTH begun begun)
if(text MATCHES "<<<" OR NOT declared EQUAL begun)
  message(FATAL_ERROR "${INPUT}: a launch or shared memory that cuda_on_cpu.cmake does not understand")
endif()
file(WRITE ${OUTPUT} "#line 1 \"${INPUT}\"\n${text}")
