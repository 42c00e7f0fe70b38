# Options for every translation unit and every link.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
add_compile_options(-ffunction-sections -fdata-sections
                    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
add_link_options(-Wl,--gc-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects its garbage as if memory were scarce, which takes a twentieth of the build. In KiB.
  add_compile_options("SHELL:--param ggc-min-heapsize=400000")
endif()

find_package(Threads REQUIRED)

# Linked by every executable, never by a library.
add_library(tikc_executable INTERFACE)
if(TIKC_PORTABLE)
  target_link_options(tikc_executable INTERFACE -static-libstdc++ -static-libgcc)
endif()

if(TIKC_SANITIZE)
  add_compile_options(-fsanitize=${TIKC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TIKC_SANITIZE} -fno-sanitize-recover=all)
  add_library(tikc_sanitizer_options OBJECT ${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  # A sanitizer's runtime defines these functions weakly, so the linker would not search an archive for them.
  target_link_libraries(tikc_executable INTERFACE $<TARGET_OBJECTS:tikc_sanitizer_options>)
  if(TIKC_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()

if(NOT TIKC_CODES_URL MATCHES "^(https?://[^\"\\\\ ]+)?$")
  message(FATAL_ERROR "invalid TIKC_CODES_URL: expected a web address, found ${TIKC_CODES_URL}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/Version.h.in
               ${PROJECT_BINARY_DIR}/generated/tikc/Version.h @ONLY)
add_library(tikc_version INTERFACE)
add_library(tikc::version ALIAS tikc_version)
target_include_directories(tikc_version INTERFACE ${PROJECT_BINARY_DIR}/generated)
