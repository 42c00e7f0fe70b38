#pragma once

#include "data/Source.h"
#include "driver/Commands.h"

#include <cstdint>
#include <string>

/// What commands that read recorded data ask of a command line.
namespace tikc::driver {

/// How much may be passed over: --broken and --unpaired.
struct Tolerated {
  std::uint64_t broken = 0, unpaired = 0;
};

/// How data are to be read.
struct DataAsked {
  data::Options options;
  Tolerated tolerated;
  unsigned jobs = 1;
};
llvm::Expected<DataAsked> dataAsked(const Invocation& invocation);

/// Where it is not known which fields are whose.
llvm::Error whyNotRecognised(const data::Source& source);
/// What keeps data from being judged, if anything does.
llvm::Error whyNotRead(const data::Source& source, const data::PieceReport& report,
                       const DataAsked& asked);

} // namespace tikc::driver
