# tikc_join(<target> <count>): with TIKC_JOINED the compiler reads so many sources of the target as one, and the headers and
# templates that they share once. A name at namespace level is then visible in the whole target, even in an unnamed namespace;
# `.ci/layers` refuses duplicates. The preset dev compiles each source separately.
function(tikc_join target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TIKC_JOINED} UNITY_BUILD_BATCH_SIZE ${count})
  if(TIKC_JOINED) # GCC takes an included source for a header
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# tikc_add_room(<room> DEPS <room or library>... [PRIVATE <library>...])
# One static library, tikc_<room>, of the sources under compiler/<room>/. A room of headers only is
# an INTERFACE library. What is PRIVATE links along, but its headers are the room's own.
function(tikc_add_room room)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compiler/${room}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(driver|gen)/Main\\.cpp$")

  set(dependencies)
  foreach(dependency IN LISTS ARG_DEPS)
    if(NOT dependency MATCHES "::")
      set(dependency tikc_${dependency})
    endif()
    list(APPEND dependencies ${dependency})
  endforeach()

  if(sources)
    add_library(tikc_${room} STATIC ${sources})
    target_include_directories(tikc_${room} PUBLIC ${PROJECT_SOURCE_DIR}/compiler)
    target_link_libraries(tikc_${room} PUBLIC ${dependencies} PRIVATE ${ARG_PRIVATE} tikc_warnings)
    tikc_join(tikc_${room} 12)
  else()
    add_library(tikc_${room} INTERFACE)
    target_include_directories(tikc_${room} INTERFACE ${PROJECT_SOURCE_DIR}/compiler)
    target_link_libraries(tikc_${room} INTERFACE ${dependencies})
  endif()
endfunction()
