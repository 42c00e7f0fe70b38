# All warnings are chosen here. GCC 12 and clang 14 accept the whole list. GCC's plain -Wshadow, unlike
# clang's, also rejects a constructor's parameter with the name of a member.
# Sign conversions are left out: clang counts them under -Wconversion, GCC does not.
add_library(tikc_warnings INTERFACE)
target_compile_options(
  tikc_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wno-sign-conversion
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wold-style-cast
            -Wcast-qual
            -Wextra-semi
            $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
            # GCC 12 falsely reports an overlap in std::string::operator+ (PR 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<CXX_COMPILER_ID:Clang>:-Wshadow>)
