#pragma once

#include "lsp/wire/Framing.h"

#include <string_view>

namespace tikc::lsp {

/// Serves the language server protocol on two file descriptors until the client exits. Returns the
/// exit code that the protocol defines.
int serve(int input, int output);

/// Writes bytes; returns false if the client no longer reads.
using Write = std::function<bool(std::string_view)>;
/// Serves without threads and files: pending work is done before each message is read.
int serve(Read read, Write write);

} // namespace tikc::lsp
