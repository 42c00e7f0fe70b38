# tikc_join(<target> <count>)
# With TIKC_JOINED, compiles up to <count> sources of the target as one unit, so that shared headers and
# templates are read once. A name at namespace level is then visible in the whole unit, even in an unnamed
# namespace; `.ci/layers` refuses duplicates.
function(tikc_join target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TIKC_JOINED} UNITY_BUILD_BATCH_SIZE ${count})
  if(TIKC_JOINED) # GCC treats an included source like a header
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# tikc_add_room(<room> [SMALL] DEPS <room or library>... [PRIVATE <library>...])
# Adds the static library tikc_<room> with the sources below compiler/<room>/, or an INTERFACE library
# if the room has only headers. Users of the room do not see the headers of PRIVATE libraries.
# A room that is SMALL works once for each command: a release compiles it for size, which takes a quarter
# less time and space.
function(tikc_add_room room)
  cmake_parse_arguments(ARG "SMALL" "" "DEPS;PRIVATE" ${ARGN})
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
    if(ARG_SMALL)
      target_compile_options(tikc_${room} PRIVATE $<$<CONFIG:Release>:-Os>)
    endif()
  else()
    add_library(tikc_${room} INTERFACE)
    target_include_directories(tikc_${room} INTERFACE ${PROJECT_SOURCE_DIR}/compiler)
    target_link_libraries(tikc_${room} INTERFACE ${dependencies})
  endif()
endfunction()
