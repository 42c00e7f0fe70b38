#pragma once

#include "data/Source.h"
#include "data/bytes/Mapped.h"

namespace tikc::data {

/// What `llama-perplexity --kl-divergence-base` leaves behind.
struct LlamaFile {
  std::string name;
  std::shared_ptr<const MappedFile> file;
};
bool isLlamaFile(std::string_view bytes);
/// Two of them, of the same text: the trainer's and the server's.
llvm::Expected<std::unique_ptr<Input>> llamaInput(std::span<const LlamaFile> files,
                                                  const DataLimits& limits);

} // namespace tikc::data
