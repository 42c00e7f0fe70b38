#pragma once

#include "data/Source.h"
#include "driver/Commands.h"

#include <cstdint>
#include <string>

/// Options of commands that read recorded data.
namespace tikc::driver {

/// The options that say where the fields of data are.
inline constexpr OptionName fieldOptions[] = {"--preset", "--map", "--shift", "--join",
                                              "--vocabulary"};

/// How many records may be skipped: --broken and --unpaired.
struct Tolerance {
  std::uint64_t broken = 0, unpaired = 0;
};

/// How data are read.
struct DataRequest {
  data::Options options;
  Tolerance tolerated;
  unsigned jobs = 1;
};
llvm::Expected<DataRequest> dataAsked(const Invocation& invocation);

/// Fails if the fields of the two sides are not known.
llvm::Error whyNotRecognised(const data::Source& source);
/// Fails if the data cannot be judged.
llvm::Error whyNotRead(const data::Source& source, const data::PieceReport& report,
                       const DataRequest& request);

} // namespace tikc::driver
