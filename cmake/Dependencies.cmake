# Each dependency has one tikc:: target with SYSTEM headers. It is a static archive where the system
# has one, as Debian does and releases need, and a shared library elsewhere. Debian's NOT_PIC archives
# are not position independent, or depend on one that is not; libtikc links the shared libraries
# instead.

function(tikc_third_party name)
  cmake_parse_arguments(ARG "NOT_PIC" "" "INCLUDE;ARCHIVES" ${ARGN})
  add_library(tikc_third_party_${name} INTERFACE)
  add_library(tikc::${name} ALIAS tikc_third_party_${name})
  if(ARG_INCLUDE)
    target_include_directories(tikc_third_party_${name} SYSTEM INTERFACE ${ARG_INCLUDE})
  endif()
  foreach(archive IN LISTS ARG_ARCHIVES)
    find_library(TIKC_ARCHIVE_${archive} NAMES lib${archive}.a ${archive} REQUIRED)
    mark_as_advanced(TIKC_ARCHIVE_${archive})
    set(linked ${TIKC_ARCHIVE_${archive}})
    if(ARG_NOT_PIC)
      find_library(TIKC_SHARED_${archive} NAMES ${archive} REQUIRED)
      mark_as_advanced(TIKC_SHARED_${archive})
      set(is_shared $<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>)
      set(linked $<IF:${is_shared},${TIKC_SHARED_${archive}},${linked}>)
    endif()
    target_link_libraries(tikc_third_party_${name} INTERFACE ${linked})
  endforeach()
endfunction()

# LLVM 19 is what releases are built with; other versions from 17 on serve as well. LLVM_DIR chooses
# one. The package's own CMake target links z3 and zstd, so its archives are linked by path.
# libLLVM.so would cost 10 ms and 50 MB at each start.
foreach(version 19 20 21 22 18 17)
  find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-${version} NO_DEFAULT_PATH)
endforeach()
find_package(LLVM REQUIRED CONFIG)
if(LLVM_VERSION_MAJOR LESS 17)
  message(FATAL_ERROR "tikc needs LLVM 17 or newer, found ${LLVM_VERSION} in ${LLVM_DIR}; set LLVM_DIR")
endif()
tikc_third_party(llvm_support INCLUDE ${LLVM_INCLUDE_DIRS})
if(EXISTS ${LLVM_LIBRARY_DIR}/libLLVMSupport.a)
  find_library(TIKC_ARCHIVE_z NAMES libz.a z REQUIRED)
  target_link_libraries(tikc_third_party_llvm_support
                        INTERFACE ${LLVM_LIBRARY_DIR}/libLLVMSupport.a
                                  ${LLVM_LIBRARY_DIR}/libLLVMDemangle.a ${TIKC_ARCHIVE_z}
                                  Threads::Threads ${CMAKE_DL_LIBS})
else()
  target_link_libraries(tikc_third_party_llvm_support INTERFACE LLVM)
endif()

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

# The header-only form compiles all of fmt in every file that formats, and Debian 12 has no archive of
# its fmt 9: cmake/Fmt.cpp makes one.
find_package(fmt REQUIRED CONFIG)
tikc_third_party(fmt)
if(fmt_VERSION VERSION_LESS 10)
  add_library(tikc_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/Fmt.cpp)
  target_include_directories(tikc_fmt SYSTEM PUBLIC
                             $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(tikc_fmt PRIVATE -w)
  target_link_libraries(tikc_third_party_fmt INTERFACE tikc_fmt)
else()
  target_link_libraries(tikc_third_party_fmt INTERFACE fmt::fmt)
endif()

find_path(TIKC_GMP_INCLUDE gmpxx.h REQUIRED)
tikc_third_party(gmp INCLUDE ${TIKC_GMP_INCLUDE} ARCHIVES gmpxx gmp NOT_PIC)

find_path(TIKC_MPFI_INCLUDE mpfi.h REQUIRED)
# GMP is named again, because a static archive must come before those that it needs.
tikc_third_party(mpfi INCLUDE ${TIKC_MPFI_INCLUDE} ARCHIVES mpfi mpfr gmp NOT_PIC)
target_link_libraries(tikc_third_party_mpfi INTERFACE tikc::gmp)

find_path(TIKC_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
tikc_third_party(cli11 INCLUDE ${TIKC_CLI11_INCLUDE})
