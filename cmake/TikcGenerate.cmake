# tikc_generate(TARGET <target> CONTRACTS <file>... [ROOT <folder>] [CUDA <format>[,<format>]])
# Compiles contracts to headers, x.tikc.yaml to x.tikc.h, which the target's sources may then include.
# A header is regenerated when its contract changes, or a contract that this one extends.
# CUDA adds x.tikc_cuda.h, for rows of these number formats on a GPU, and its source to the target.
function(tikc_generate)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET;ROOT;CUDA" "CONTRACTS")
  if(NOT ARG_TARGET OR NOT ARG_CONTRACTS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tikc_generate(TARGET <target> CONTRACTS <file>... [ROOT <folder>] "
                        "[CUDA <format>[,<format>]])")
  endif()
  set(endings .tikc.h)
  set(options)
  if(ARG_CUDA)
    if(NOT CMAKE_CUDA_COMPILER_LOADED)
      message(FATAL_ERROR "tikc_generate: CUDA needs a CUDA compiler; enable_language(CUDA)")
    endif()
    list(APPEND endings .tikc_cuda.h .tikc.cu)
    set(options --cuda=${ARG_CUDA})
    target_compile_features(${ARG_TARGET} PRIVATE cuda_std_17)
  endif()
  tikc_compile("${ARG_TARGET}" "${ARG_ROOT}" "${endings}" "${options}" ${ARG_CONTRACTS})
  target_sources(${ARG_TARGET} PRIVATE ${made})
  target_include_directories(${ARG_TARGET} PRIVATE ${folder})
  target_link_libraries(${ARG_TARGET} PRIVATE tikc::runtime)
endfunction()

# tikc_add_library(NAME <target> CONTRACTS <file>... [ROOT <folder>])
# Adds a shared library of contracts for C programs and for programs that load libraries: x.tikc.yaml
# becomes x.tikc_c.h, and the library exports only the functions that it declares.
function(tikc_add_library)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;ROOT" "CONTRACTS")
  if(NOT ARG_NAME OR NOT ARG_CONTRACTS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tikc_add_library(NAME <target> CONTRACTS <file>... [ROOT <folder>])")
  endif()
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    message(FATAL_ERROR "tikc_add_library: the library is made of C++; enable_language(CXX)")
  endif()
  tikc_compile("${ARG_NAME}" "${ARG_ROOT}" ".tikc.h;.tikc_c.h;.tikc_c.cpp" "--c-abi;--standalone"
               ${ARG_CONTRACTS})
  add_library(${ARG_NAME} SHARED ${made})
  target_include_directories(${ARG_NAME} PUBLIC ${folder})
  target_compile_features(${ARG_NAME} PRIVATE cxx_std_17)
  target_compile_options(${ARG_NAME} PRIVATE -fno-exceptions -fno-rtti)
  set_target_properties(${ARG_NAME} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
  # The C++ library's templates are visible wherever they are used.
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    file(WRITE ${folder}/exports.map "{ local: _Z*; };\n")
    target_link_options(${ARG_NAME} PRIVATE LINKER:--version-script=${folder}/exports.map)
  endif()
endfunction()

# tikc_compile(<target> <root or nothing> <endings of outputs> <options of tikc> <contract>...)
# Sets `folder` to the output folder of the target's contracts, and `made` to the outputs.
function(tikc_compile target root endings options)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tikc/${target})
  if(NOT root STREQUAL "")
    cmake_path(ABSOLUTE_PATH root BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --root=${root})
  endif()
  set(made)
  foreach(contract IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH contract BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET contract FILENAME name)
    string(REGEX REPLACE "\\.ya?ml$" "" stem ${name})
    string(REGEX REPLACE "\\.tikc$" "" stem ${stem})
    list(TRANSFORM endings PREPEND ${folder}/${stem} OUTPUT_VARIABLE outputs)
    list(GET outputs 0 header)
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND tikc::tikc emit cpp ${contract} --output=${folder} --depfile=${header}.d ${options}
      DEPENDS ${contract} tikc::tikc
      DEPFILE ${header}.d
      COMMENT "Compiling the contract ${name}"
      VERBATIM)
    list(APPEND made ${outputs})
  endforeach()
  set(folder ${folder} PARENT_SCOPE)
  set(made ${made} PARENT_SCOPE)
endfunction()
