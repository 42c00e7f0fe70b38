#pragma once

#include "checker/plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::emit {

/// A generated file, by its name within the output folder.
struct File {
  std::string name;
  std::string text;
};

/// The enumerators of tikc::number_format.
inline constexpr std::string_view rowFormats[] = {"fp32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"};

/// The formats of the rows on a GPU.
struct DeviceFormats {
  std::string_view train, infer; // of rowFormats
};

struct Options {
  bool isStandalone = false;           // includes no other file
  bool hasCInterface = false;          // for engines in C, and programs that load libraries
  std::optional<DeviceFormats> device; // for rows on a GPU
};

/// Returns one header with the checker and the router of each contract, each in its own namespace,
/// and then the files that belong to it. `stem` is the name of the contracts' file without its
/// extension.
std::vector<File> emitCpp(const std::vector<plan::Plan>& plans, const std::string& stem,
                          const Options& options);

/// Returns why no checker can be generated from a plan, in words about its contract: something is
/// undefined or too large.
std::optional<std::string> whyNotCpp(const plan::Plan& plan);

/// Returns why rows of a plan cannot be observed on a GPU, in words about its contract.
std::optional<std::string> whyNotOnDevice(const plan::Plan& plan);

/// Returns the fingerprint of a plan's checkers and tallies. Tallies with equal fingerprints merge.
std::uint64_t fingerprint(const plan::Plan& plan);

/// Returns the fingerprint of a plan's router.
std::uint64_t policyFingerprint(const plan::Plan& plan);

/// Returns the sizes in bytes of the objects of a plan's checker.
std::string stats(const plan::Plan& plan);

} // namespace tikc::emit
