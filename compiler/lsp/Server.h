#pragma once

#include "lsp/wire/Framing.h"

#include <string_view>

namespace tikc::lsp {

/// Speaks the language server protocol over two files until the client says to exit or goes away.
/// Returns the exit status that the protocol asks for.
int serve(int input, int output);

/// Puts bytes of the output out; false where nobody takes them any more.
using Write = std::function<bool(std::string_view)>;
/// The same without a thread and without files: work is done before each message is read.
int serve(Read read, Write write);

} // namespace tikc::lsp
