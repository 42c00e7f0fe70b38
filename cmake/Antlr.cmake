# Generates the lexer and the parser from grammar/Tikc.g4 into the build tree.
# Debian's tool is 4.7.2 and its C++ runtime 4.9: the generated code needs -fno-char8_t under C++20.
find_program(TIKC_ANTLR4_TOOL antlr4 REQUIRED)

set(grammar ${PROJECT_SOURCE_DIR}/grammar/Tikc.g4)
set(out ${PROJECT_BINARY_DIR}/generated/grammar)
set(sources)
set(byproducts)
foreach(unit Lexer Parser)
  list(APPEND sources ${out}/Tikc${unit}.cpp)
  list(APPEND byproducts ${out}/Tikc${unit}.h)
endforeach()

add_custom_command(
  OUTPUT ${sources} ${byproducts}
  COMMAND ${TIKC_ANTLR4_TOOL} -Werror -no-visitor -no-listener -Dlanguage=Cpp -package tikc::grammar
          -Xexact-output-dir -o ${out} ${grammar}
  DEPENDS ${grammar}
  COMMENT "Generating the expression parser from grammar/Tikc.g4"
  VERBATIM)

add_custom_target(tikc_parser DEPENDS ${sources} ${byproducts})
add_library(tikc_grammar STATIC ${sources})
add_dependencies(tikc_grammar tikc_parser)
target_compile_options(tikc_grammar PRIVATE -w -fno-char8_t)
target_include_directories(tikc_grammar SYSTEM PUBLIC ${out})
target_link_libraries(tikc_grammar PUBLIC tikc::antlr4)
