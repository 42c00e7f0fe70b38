#include "data/inspect/Signs.h"

#include "library/Handles.h"
#include "tikc/c_tally.h"

#include <cmath>

using namespace tikc;
using namespace tikc::library;

namespace {

tikc_status areSigns(const void* handle) { return c::is_object<data::Signs>(handle); }
data::Signs& signsAt(tikc_signs* signs) { return c::object<data::Signs>(signs); }

} // namespace

extern "C" {

tikc_status tikc_signs_create(tikc_signs** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::points_to(out);
    return wrong == TIKC_OK ? create<data::Signs>(out, data::Signs()) : wrong;
  });
}
tikc_status tikc_signs_destroy(tikc_signs* signs) noexcept { return destroy<data::Signs>(signs); }

tikc_status tikc_signs_clear(tikc_signs* signs) noexcept {
  return c::when_right(areSigns(signs), [&] { signsAt(signs) = data::Signs(); });
}

tikc_status tikc_signs_merge(tikc_signs* into, const tikc_signs* other) noexcept {
  return c::when_right(c::first_wrong(areSigns(into), areSigns(other)), [&] {
    // Of itself, too.
    const data::Signs more = c::object<data::Signs>(other);
    signsAt(into).add(more);
  });
}

tikc_status tikc_signs_add(tikc_signs* signs, const tikc_tokens* tokens, double step,
                           double version) noexcept {
  return c::when_right(c::first_wrong(areSigns(signs), c::is_batch(tokens)), [&] {
    data::Response response = responseOf(*tokens);
    if (!std::isnan(step))
      response.step = step;
    if (!std::isnan(version))
      response.version = version;
    signsAt(signs).add(response);
  });
}

} // extern "C"
