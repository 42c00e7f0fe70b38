#include "data/Report.h"

#include <fmt/format.h>

#include <iterator>

namespace tikc::data {

void PieceReport::add(const PieceReport& other, std::size_t mostFaults) {
  records += other.records;
  responses += other.responses;
  broken += other.broken;
  unpaired += other.unpaired;
  padding += other.padding;
  skipped += other.skipped;
  unknownValues += other.unknownValues;
  withMask += other.withMask;
  withLength += other.withLength;
  withKept += other.withKept;
  withStep += other.withStep;
  for (std::size_t i = 0; i < train.size(); ++i) {
    train[i] += other.train[i];
    infer[i] += other.infer[i];
  }
  if (!lost)
    lost = other.lost;
  found.insert(other.found.begin(), other.found.end());
  for (const Fault& fault : other.faults)
    if (faults.size() < mostFaults)
      faults.push_back(fault);
}

std::string PieceId::hex() const {
  std::string out;
  for (const std::uint8_t byte : digest)
    fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

} // namespace tikc::data
