# tikc_generate(TARGET <target> CONTRACTS <file>... [ROOT <folder>])
# Compiles contracts to headers, x.tikc.yaml to x.tikc.h, which the target's sources may then include.
# A header is made anew when its contract changes, or a contract that this one extends.
function(tikc_generate)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET;ROOT" "CONTRACTS")
  if(NOT ARG_TARGET OR NOT ARG_CONTRACTS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: tikc_generate(TARGET <target> CONTRACTS <file>... [ROOT <folder>])")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tikc/${ARG_TARGET})
  set(root)
  if(ARG_ROOT)
    cmake_path(ABSOLUTE_PATH ARG_ROOT BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set(root --root=${ARG_ROOT})
  endif()
  set(headers)
  foreach(contract IN LISTS ARG_CONTRACTS)
    cmake_path(ABSOLUTE_PATH contract BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET contract FILENAME name)
    string(REGEX REPLACE "\\.ya?ml$" "" stem ${name})
    string(REGEX REPLACE "\\.tikc$" "" stem ${stem})
    set(header ${folder}/${stem}.tikc.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND tikc::tikc emit cpp ${contract} --output=${folder} --depfile=${header}.d ${root}
      DEPENDS ${contract} tikc::tikc
      DEPFILE ${header}.d
      COMMENT "Compiling the contract ${name}"
      VERBATIM)
    list(APPEND headers ${header})
  endforeach()
  target_sources(${ARG_TARGET} PRIVATE ${headers})
  target_include_directories(${ARG_TARGET} PRIVATE ${folder})
  target_link_libraries(${ARG_TARGET} PRIVATE tikc::runtime)
endfunction()
