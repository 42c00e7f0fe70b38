# Each dependency has one tikc:: target: static, with SYSTEM headers. Debian's NOT_PIC archives are
# not position independent, or depend on one that is not; libtikc links the shared libraries instead.

function(tikc_third_party name)
  cmake_parse_arguments(ARG "NOT_PIC" "" "INCLUDE;ARCHIVES" ${ARGN})
  add_library(tikc_third_party_${name} INTERFACE)
  add_library(tikc::${name} ALIAS tikc_third_party_${name})
  if(ARG_INCLUDE)
    target_include_directories(tikc_third_party_${name} SYSTEM INTERFACE ${ARG_INCLUDE})
  endif()
  foreach(archive IN LISTS ARG_ARCHIVES)
    find_library(TIKC_ARCHIVE_${archive} NAMES lib${archive}.a REQUIRED)
    mark_as_advanced(TIKC_ARCHIVE_${archive})
    set(linked ${TIKC_ARCHIVE_${archive}})
    if(ARG_NOT_PIC)
      find_library(TIKC_SHARED_${archive} NAMES lib${archive}.so REQUIRED)
      mark_as_advanced(TIKC_SHARED_${archive})
      set(is_shared $<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>)
      set(linked $<IF:${is_shared},${TIKC_SHARED_${archive}},${linked}>)
    endif()
    target_link_libraries(tikc_third_party_${name} INTERFACE ${linked})
  endforeach()
endfunction()

# The package's own CMake target links z3 and zstd, so its archives are linked by path.
# libLLVM.so would cost 10 ms and 50 MB at each start.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)
tikc_third_party(llvm_support INCLUDE ${LLVM_INCLUDE_DIRS})
foreach(component Support Demangle)
  set(archive ${LLVM_LIBRARY_DIR}/libLLVM${component}.a)
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "${archive} is missing: install llvm-19-dev")
  endif()
  target_link_libraries(tikc_third_party_llvm_support INTERFACE ${archive})
endforeach()
find_library(TIKC_ARCHIVE_z NAMES libz.a REQUIRED)
target_link_libraries(tikc_third_party_llvm_support
                      INTERFACE ${TIKC_ARCHIVE_z} Threads::Threads ${CMAKE_DL_LIBS})


find_path(TIKC_ZLIB_INCLUDE zlib.h REQUIRED)
tikc_third_party(zlib INCLUDE ${TIKC_ZLIB_INCLUDE} ARCHIVES z)
find_path(TIKC_ZSTD_INCLUDE zstd.h REQUIRED)
tikc_third_party(zstd INCLUDE ${TIKC_ZSTD_INCLUDE} ARCHIVES zstd)
find_path(TIKC_MINIZIP_INCLUDE minizip/unzip.h REQUIRED)
tikc_third_party(minizip INCLUDE ${TIKC_MINIZIP_INCLUDE} ARCHIVES minizip z)

find_path(TIKC_YAML_CPP_INCLUDE yaml-cpp/eventhandler.h REQUIRED)
tikc_third_party(yaml_cpp INCLUDE ${TIKC_YAML_CPP_INCLUDE} ARCHIVES yaml-cpp NOT_PIC)

find_path(TIKC_ANTLR4_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # clang 14 rejects one header of 4.9 (CWG 253), which nothing here needs. An umbrella header
  # without it shadows the real one.
  file(READ ${TIKC_ANTLR4_INCLUDE}/antlr4-runtime.h umbrella)
  string(REPLACE "#include \"misc/InterpreterDataReader.h\"\n" "" umbrella "${umbrella}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/antlr4-runtime/antlr4-runtime.h
       CONTENT "${umbrella}" @ONLY)
  list(PREPEND TIKC_ANTLR4_INCLUDE ${PROJECT_BINARY_DIR}/generated/antlr4-runtime)
endif()
tikc_third_party(antlr4 INCLUDE ${TIKC_ANTLR4_INCLUDE} ARCHIVES antlr4-runtime NOT_PIC)
target_link_libraries(tikc_third_party_antlr4 INTERFACE Threads::Threads)

# Debian has no archive of fmt, and the header-only form compiles all of fmt in every file that
# formats. cmake/Fmt.cpp makes the archive.
find_path(TIKC_FMT_INCLUDE fmt/format-inl.h REQUIRED)
add_library(tikc_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/Fmt.cpp)
target_compile_options(tikc_fmt PRIVATE -w)
tikc_third_party(fmt INCLUDE ${TIKC_FMT_INCLUDE})
target_link_libraries(tikc_third_party_fmt INTERFACE tikc_fmt)

find_path(TIKC_GMP_INCLUDE gmpxx.h REQUIRED)
tikc_third_party(gmp INCLUDE ${TIKC_GMP_INCLUDE} ARCHIVES gmpxx gmp NOT_PIC)

find_path(TIKC_MPFI_INCLUDE mpfi.h REQUIRED)
# GMP is named again, because a static archive must come before those that it needs.
tikc_third_party(mpfi INCLUDE ${TIKC_MPFI_INCLUDE} ARCHIVES mpfi mpfr gmp NOT_PIC)
target_link_libraries(tikc_third_party_mpfi INTERFACE tikc::gmp)

find_path(TIKC_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
tikc_third_party(cli11 INCLUDE ${TIKC_CLI11_INCLUDE})
