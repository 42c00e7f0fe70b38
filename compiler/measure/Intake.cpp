#include "measure/Intake.h"

#include "measure/Fragments.h"

namespace tikc::measure {

Intake intakeOf(const Fragmenting& piece, const data::PieceReport& report) {
  Intake out;
  out.report = report;
  data::PieceReport impossible;
  impossible.broken = piece.impossible();
  impossible.faults = piece.faults();
  out.report.add(impossible, Intake::mostFaults);
  out.tokens = piece.tokens();
  out.responses = piece.responses();
  out.rows = piece.rows();
  out.namesSteps = piece.namesSteps();
  out.namesTimes = piece.namesTimes();
  out.unpaired = piece.unpaired();
  out.strangers = piece.strangers();
  out.strangeLength = piece.strangeLength();
  out.missing = piece.missing();
  out.otherSettings = piece.otherSettings();
  out.signs = piece.signs();
  return out;
}

void Intake::add(const Intake& other) {
  report.add(other.report, mostFaults);
  tokens += other.tokens;
  responses += other.responses;
  rows += other.rows;
  unpaired += other.unpaired;
  strangers += other.strangers;
  if (other.strangers != 0)
    strangeLength = other.strangeLength;
  for (const auto& [name, count] : other.missing)
    missing[name] += count;
  for (const auto& [setting, count] : other.otherSettings)
    otherSettings[setting] += count;
  repeated += other.repeated;
  namesSteps = namesSteps || other.namesSteps;
  namesTimes = namesTimes || other.namesTimes;
  signs.add(other.signs);
}

} // namespace tikc::measure
