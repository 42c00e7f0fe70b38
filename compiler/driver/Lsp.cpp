#include "driver/Commands.h"
#include "lsp/Server.h"

#include <unistd.h>

namespace tikc::driver {

llvm::Expected<int> runLsp(const Invocation&) { return lsp::serve(STDIN_FILENO, STDOUT_FILENO); }

} // namespace tikc::driver
