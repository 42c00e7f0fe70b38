# cmake -DRUNTIME=<runtime/include> -DOUT=<file> -P EmbedRuntime.cmake
# Writes the runtime's headers as C++ arrays, so that an installed `tikc emit --standalone` has them.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE headers LIST_DIRECTORIES false RELATIVE ${RUNTIME} ${RUNTIME}/*.h
     ${RUNTIME}/*.def)
list(SORT headers)
set(arrays "// Generated from runtime/include.\n")
set(table "")
set(number 0)
foreach(header IN LISTS headers)
  file(READ ${RUNTIME}/${header} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char header${number}[] = {${bytes}'\\0'};\n")
  # The length is explicit: compilers limit the size of string literals.
  string(APPEND table "    {\"${header}\", {header${number}, sizeof header${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(CONFIGURE OUTPUT ${OUT} CONTENT "${arrays}constexpr Header headerTable[] = {\n${table}};\n" @ONLY)
