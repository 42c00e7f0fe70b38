#include "data/Report.h"

#include "support/UsageError.h"

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
  addCounts(train, other.train);
  addCounts(infer, other.infer);
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

llvm::Error whyNotMarked(const PieceReport& report) {
  const std::pair<std::string_view, std::uint64_t> marks[] = {
      {"mask", report.withMask}, {"length", report.withLength}, {"kept", report.withKept}};
  for (const auto& [name, count] : marks)
    if (count != 0 && count != report.responses)
      return usageError(fmt::format("{} of {} responses {} no `{}`, but others do; all of their "
                                    "tokens would count, even padding and prompts",
                                    grouped(report.responses - count), grouped(report.responses),
                                    report.responses - count == 1 ? "has" : "have", name));
  return llvm::Error::success();
}

} // namespace tikc::data
