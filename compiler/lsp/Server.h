#pragma once

namespace tikc::lsp {

/// Speaks the language server protocol over two files until the client says to exit or goes away.
/// Returns the exit status that the protocol asks for.
int serve(int input, int output);

} // namespace tikc::lsp
