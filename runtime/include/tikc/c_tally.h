#pragma once

#include "tikc/c_objects.h"
#include "tikc/logprobs.h"

namespace tikc::c {

inline constexpr std::size_t scratch_alignment = 64;

/// The size of one thread's scratch, for rows and for tokens: the larger need, plus padding for
/// alignment.
constexpr std::size_t scratch_bytes(std::size_t vocabulary) {
  const std::size_t of_rows = row_scratch_floats(vocabulary) * sizeof(float);
  return (of_rows > sizeof(token_scratch) ? of_rows : sizeof(token_scratch)) + scratch_alignment -
         1;
}

inline tikc_status is_scratch(const void* at, std::size_t size, std::size_t vocabulary) {
  const std::size_t needed = scratch_bytes(vocabulary);
  return first_wrong(has_bytes(at, needed), size < needed ? TIKC_ROOM : TIKC_OK);
}

inline void* aligned_scratch(void* at) {
  const auto off = reinterpret_cast<std::uintptr_t>(at) % scratch_alignment;
  return static_cast<unsigned char*>(at) + (off == 0 ? 0 : scratch_alignment - off);
}

inline tikc_status are_tokens(const tikc_tokens* batch) {
  const tikc_status wrong = points_to(batch);
  return wrong != TIKC_OK ? wrong
                          : first_wrong(points_to(batch->train, batch->size),
                                        points_to(batch->infer, batch->size));
}
/// Returns TIKC_VALUE if a token has a log-prob above 0.
inline tikc_status is_batch(const tikc_tokens* batch) {
  const tikc_status wrong = are_tokens(batch);
  if (wrong != TIKC_OK)
    return wrong;
  const bool are_logprobs =
      first_above_zero(batch->train, batch->mask, batch->size) == batch->size &&
      first_above_zero(batch->infer, batch->mask, batch->size) == batch->size;
  return are_logprobs ? TIKC_OK : TIKC_VALUE;
}

inline token_batch batch_of(const tikc_tokens& batch) {
  return {batch.train, batch.infer, batch.mask, batch.size, batch.first};
}

inline sequence sequence_of(const tikc_sequence& response) {
  sequence out;
  if (response.begun != 0) {
    out.log_ratio = {response.sum, response.rest};
    out.tokens = response.tokens;
    out.least = response.least;
    for (std::size_t i = 0; i < response_sums; ++i)
      out.figures[i] = response.figures[i];
  }
  return out;
}

inline void keep(const sequence& response, tikc_sequence& in) {
  in = {response.log_ratio.high, response.log_ratio.low, response.tokens, response.least, 1, {}};
  static_assert(sizeof in.figures / sizeof *in.figures >= response_sums,
                "tikc_sequence has room for the sum of each figure that is averaged by response");
  for (std::size_t i = 0; i < response_sums; ++i)
    in.figures[i] = response.figures[i];
}

/// The calls of a tally for one stream. The stream is a template argument of a constant plan, and
/// the first function argument of a plan read at run time.
template <class Tally, class Stream> struct one_stream {
  Tally& target;
  Stream which;
  static constexpr bool is_read = std::is_same_v<Stream, std::uint32_t>;

  template <class... Each> void row(Each&&... each) const {
    if constexpr (is_read)
      target.observe_row(which, each...);
    else
      target.template observe_row<Stream::value>(each...);
  }
  template <class... Each> decltype(auto) tokens(Each&&... each) const {
    if constexpr (is_read)
      return target.observe_tokens(which, each...);
    else
      return target.template observe_tokens<Stream::value>(each...);
  }
  template <class... Each> void end(Each&&... each) const {
    if constexpr (is_read)
      target.end_sequence(which, each...);
    else
      target.template end_sequence<Stream::value>(each...);
  }
  template <class... Each> void routes(Each&&... each) const {
    if constexpr (is_read)
      target.observe_routes(which, each...);
    else
      target.template observe_routes<Stream::value>(each...);
  }
};

template <class Plan> struct tally_calls : object_calls<tally<Plan>>, wire_calls<tally<Plan>> {
  using observed = tally<Plan>;

  static tikc_status clear(void* at) {
    return when_right(is_object<observed>(at), [&] { of(at).clear(); });
  }

  static tikc_status merge(void* into, const void* other) {
    return when_right(are_together<observed, observed>(into, other),
                      [&] { of(into).merge(object<observed>(other)); });
  }

  static tikc_status serve(void* at, std::uint32_t slice, std::uint64_t tokens,
                           std::uint64_t requests) {
    return when_right(is_slice(at, slice), [&] { of(at).serve(slice, tokens, requests); });
  }

  static tikc_status hand_in(void* at, std::uint32_t quantity, const tikc_numbers* numbers) {
    static_assert(TIKC_LENGTH + 1 == handed_quantities &&
                  TIKC_UNSEEN == static_cast<int>(tikc::quantity::unseen));
    tikc_status wrong = first_wrong(is_object<observed>(at), is_below(quantity, handed_quantities),
                                    points_to(numbers));
    if (wrong == TIKC_OK)
      wrong = points_to(numbers->values, numbers->size);
    return when_right(wrong, [&] {
      for (std::size_t i = 0; i < numbers->size; ++i)
        if (numbers->mask == nullptr || numbers->mask[i] != 0)
          of(at).hand_in(static_cast<tikc::quantity>(quantity), numbers->values[i],
                         numbers->first + i * numbers->step);
    });
  }

  static tikc_status observe_row(void* at, std::uint32_t stream, std::uint32_t slice,
                                 const tikc_row* train, const tikc_row* infer, void* memory,
                                 std::size_t bytes, std::uint64_t id) {
    tikc_status wrong = is_stream(at, stream, slice);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_row(at, train), is_row(at, infer), is_enough(at, memory, bytes));
    return when_right(wrong, [&] {
      auto* weights = static_cast<float*>(aligned_scratch(memory));
      on(at, stream,
         [&](auto through) { through.row(slice, view(*train), view(*infer), weights, id); });
    });
  }

  static tikc_status observe_tokens(void* at, std::uint32_t stream, std::uint32_t slice,
                                    const tikc_tokens* tokens) {
    return when_right(first_wrong(is_stream(at, stream, slice), is_batch(tokens)), [&] {
      on(at, stream, [&](auto through) { through.tokens(slice, batch_of(*tokens)); });
    });
  }

  static tikc_status observe_mixed_tokens(void* at, std::uint32_t stream,
                                          const std::uint8_t* each_slice, const tikc_tokens* tokens,
                                          void* memory, std::size_t bytes, std::uint64_t* strays) {
    tikc_status wrong = is_stream(at, stream, 0);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_batch(tokens), is_enough(at, memory, bytes), points_to(strays));
    if (wrong == TIKC_OK)
      wrong = points_to(each_slice, tokens->size);
    return when_right(wrong, [&] {
      auto* gathered = new (aligned_scratch(memory)) token_scratch;
      on(at, stream,
         [&](auto through) { *strays = through.tokens(each_slice, batch_of(*tokens), *gathered); });
    });
  }

  static tikc_status observe_response(void* at, std::uint32_t stream, std::uint32_t slice,
                                      const tikc_tokens* tokens, tikc_sequence* response) {
    const tikc_status wrong =
        first_wrong(is_stream(at, stream, slice), is_batch(tokens), points_to(response));
    return when_right(wrong, [&] {
      sequence kept = sequence_of(*response);
      on(at, stream, [&](auto through) { through.tokens(slice, batch_of(*tokens), kept); });
      keep(kept, *response);
    });
  }

  static tikc_status end_response(void* at, std::uint32_t stream, std::uint32_t slice,
                                  tikc_sequence* response, std::uint64_t id) {
    return when_right(first_wrong(is_stream(at, stream, slice), points_to(response)), [&] {
      const sequence kept = sequence_of(*response);
      on(at, stream, [&](auto through) { through.end(slice, kept, id); });
      *response = {};
    });
  }

  static tikc_status observe_request(void* at, std::uint32_t slice, const tikc_request_times* times,
                                     std::uint64_t id) {
    static_assert(TIKC_ABSENT == request_times::absent);
    return when_right(first_wrong(is_slice(at, slice), points_to(times)), [&] {
      of(at).observe_request(slice,
                             {times->latency, times->first_token_latency,
                              times->inter_token_latency, times->throughput, times->failed != 0},
                             id);
    });
  }

  static tikc_status observe_batch_replay(void* at, std::uint32_t slice, double drift,
                                          std::uint64_t id) {
    return when_right(is_slice(at, slice), [&] { of(at).observe_batch_replay(slice, drift, id); });
  }

  static tikc_status observe_request_replay(void* at, std::uint32_t slice, double drift,
                                            std::uint64_t id) {
    return when_right(is_slice(at, slice),
                      [&] { of(at).observe_request_replay(slice, drift, id); });
  }

  static tikc_status observe_routes(void* at, std::uint32_t stream, std::uint32_t slice,
                                    double share, std::uint64_t id) {
    return when_right(is_stream(at, stream, slice), [&] {
      on(at, stream, [&](auto through) { through.routes(slice, share, id); });
    });
  }

  static tikc_status volume(const void* at, std::uint32_t slice, tikc_volume* out) {
    return when_right(first_wrong(is_slice(at, slice), points_to(out)), [&] {
      const cell<Plan>& seen = object<observed>(at).observed(slice);
      *out = {seen.tokens(),        seen.sequences(),   seen.requests,
              seen.rows(),          seen.routes(),      seen.batch_replays,
              seen.request_replays, seen.served_tokens, seen.served_requests};
    });
  }

private:
  static observed& of(void* at) { return object<observed>(at); }

  static tikc_status is_slice(const void* at, std::uint32_t slice) {
    const tikc_status wrong = is_object<observed>(at);
    return wrong != TIKC_OK ? wrong : is_below(slice, plan_of<observed>(at).slices);
  }
  static tikc_status is_stream(const void* at, std::uint32_t stream, std::uint32_t slice) {
    const tikc_status wrong = is_object<observed>(at);
    return wrong != TIKC_OK
               ? wrong
               : first_wrong(is_below(stream, std::size(plan_of<observed>(at).streams)),
                             is_below(slice, plan_of<observed>(at).slices));
  }
  static tikc_status is_enough(const void* at, const void* memory, std::size_t bytes) {
    return is_scratch(memory, bytes, plan_of<observed>(at).vocabulary);
  }
  static tikc_status is_row(const void* at, const tikc_row* row) {
    const tikc_status wrong = points_to(row);
    return wrong != TIKC_OK ? wrong
                            : first_wrong(has_bytes(row->data, row->tokens),
                                          row->format > TIKC_FP8_E5M2 ? TIKC_VALUE : TIKC_OK,
                                          is_size(at, row->tokens));
  }
  static tikc_status is_size(const void* at, std::size_t tokens) {
    const std::size_t vocabulary = plan_of<observed>(at).vocabulary;
    return vocabulary != 0 && tokens != vocabulary ? TIKC_SIZE : TIKC_OK;
  }
  static row_view view(const tikc_row& row) {
    return {row.data, static_cast<number_format>(row.format)};
  }

  template <class Act> static void on(void* at, std::uint32_t stream, Act&& act) {
    if constexpr (detail::is_constant<Plan>)
      choose(at, stream, act, std::make_index_sequence<std::size(Plan::streams)>());
    else
      act(one_stream<observed, std::uint32_t>{of(at), stream});
  }
  template <class Act, std::size_t... At>
  static void choose(void* at, std::uint32_t stream, Act& act, std::index_sequence<At...>) {
    ((stream == At ? act(through<At>(at)) : void()), ...);
  }
  template <std::size_t At> static auto through(void* at) {
    using which = std::integral_constant<std::size_t, At>;
    return one_stream<observed, which>{of(at), which()};
  }
};

} // namespace tikc::c
