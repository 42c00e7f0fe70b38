#include "measure/Renaming.h"

#include "tikc/wire.h"

namespace tikc::measure {
namespace {

/// Of all that travels, what is a name.
class NameVisitor {
public:
  explicit NameVisitor(llvm::function_ref<std::uint64_t(std::uint64_t)> renamed)
      : renamed_(renamed) {}

  template <bool Largest> void operator()(worst_few<Largest>& of) const {
    for (std::size_t i = 0; i < of.count; ++i)
      of.kept[i].id = renamed_(of.kept[i].id);
  }
  void operator()(std::uint64_t& at, std::uint64_t nowhere) const {
    if (at != nowhere)
      at = renamed_(at);
  }
  template <class T> void operator()(T&) const {}
  template <class T> void operator()(T&, T) const {}

private:
  llvm::function_ref<std::uint64_t(std::uint64_t)> renamed_;
};

} // namespace

void renameObservations(engine::LoadedTally& tally,
                        llvm::function_ref<std::uint64_t(std::uint64_t)> renamed) {
  const NameVisitor visitor(renamed);
  detail::wire_access::walk_tally(visitor, tally);
}

} // namespace tikc::measure
