#pragma once

#include "tikc/c_objects.h"

namespace tikc::c {

/// One thread's working memory, for rows and for tokens: as large as either needs, and as much
/// more as aligning it takes.
template <class Plan> struct scratch {
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t row_bytes = row_scratch_floats(Plan::vocabulary) * sizeof(float);
  static constexpr std::size_t bytes =
      (row_bytes > sizeof(token_scratch) ? row_bytes : sizeof(token_scratch)) + alignment - 1;

  static tikc_status is_enough(const void* at, std::size_t size) {
    return first_wrong(has_bytes(at, bytes), size < bytes ? TIKC_ROOM : TIKC_OK);
  }
  static void* aligned(void* at) {
    const auto off = reinterpret_cast<std::uintptr_t>(at) % alignment;
    return static_cast<unsigned char*>(at) + (off == 0 ? 0 : alignment - off);
  }
};

inline tikc_status is_batch(const tikc_tokens* of) {
  const tikc_status wrong = points_to(of);
  return wrong != TIKC_OK
             ? wrong
             : first_wrong(points_to(of->train, of->size), points_to(of->infer, of->size));
}

inline token_batch batch_of(const tikc_tokens& of) {
  return {of.train, of.infer, of.mask, of.size, of.first};
}

inline sequence sequence_of(const tikc_sequence& of) {
  sequence out;
  if (of.begun != 0) {
    out.log_ratio = {of.sum, of.rest};
    out.tokens = of.tokens;
    out.least = of.least;
    for (std::size_t i = 0; i < response_sums; ++i)
      out.figures[i] = of.figures[i];
  }
  return out;
}

inline void keep(const sequence& of, tikc_sequence& in) {
  in = {of.log_ratio.high, of.log_ratio.low, of.tokens, of.least, 1, {}};
  static_assert(sizeof in.figures / sizeof *in.figures == response_sums,
                "tikc_sequence has a sum for each figure that is averaged by response");
  for (std::size_t i = 0; i < response_sums; ++i)
    in.figures[i] = of.figures[i];
}

template <class Plan> struct tally_calls : object_calls<tally<Plan>>, wire_calls<tally<Plan>> {
  using observed = tally<Plan>;
  static constexpr std::size_t slices = observed::slices;
  static constexpr std::size_t streams = observed::streams;

  static tikc_status clear(void* at) {
    return when_right(is_object<observed>(at), [&] { of(at).clear(); });
  }

  static tikc_status merge(void* into, const void* other) {
    return when_right(first_wrong(is_object<observed>(into), is_object<observed>(other)),
                      [&] { of(into).merge(object<observed>(other)); });
  }

  static tikc_status serve(void* at, std::uint32_t slice, std::uint64_t tokens,
                           std::uint64_t requests) {
    return when_right(is_slice(at, slice), [&] { of(at).serve(slice, tokens, requests); });
  }

  static tikc_status observe_row(void* at, std::uint32_t stream, std::uint32_t slice,
                                 const tikc_row* train, const tikc_row* infer, void* memory,
                                 std::size_t bytes, std::uint64_t id) {
    const tikc_status wrong = first_wrong(is_stream(at, stream, slice), is_row(train),
                                          is_row(infer), scratch<Plan>::is_enough(memory, bytes));
    return when_right(wrong, [&] {
      auto* weights = static_cast<float*>(scratch<Plan>::aligned(memory));
      on(stream, [&](auto which) {
        of(at).template observe_row<which>(slice, view(*train), view(*infer), weights, id);
      });
    });
  }

  static tikc_status observe_tokens(void* at, std::uint32_t stream, std::uint32_t slice,
                                    const tikc_tokens* tokens) {
    return when_right(first_wrong(is_stream(at, stream, slice), is_batch(tokens)), [&] {
      on(stream,
         [&](auto which) { of(at).template observe_tokens<which>(slice, batch_of(*tokens)); });
    });
  }

  static tikc_status observe_mixed_tokens(void* at, std::uint32_t stream,
                                          const std::uint8_t* each_slice, const tikc_tokens* tokens,
                                          void* memory, std::size_t bytes, std::uint64_t* strays) {
    tikc_status wrong = first_wrong(is_stream(at, stream, 0), is_batch(tokens),
                                    scratch<Plan>::is_enough(memory, bytes), points_to(strays));
    if (wrong == TIKC_OK)
      wrong = points_to(each_slice, tokens->size);
    return when_right(wrong, [&] {
      auto* gathered = new (scratch<Plan>::aligned(memory)) token_scratch;
      on(stream, [&](auto which) {
        *strays = of(at).template observe_tokens<which>(each_slice, batch_of(*tokens), *gathered);
      });
    });
  }

  static tikc_status observe_response(void* at, std::uint32_t stream, std::uint32_t slice,
                                      const tikc_tokens* tokens, tikc_sequence* response) {
    const tikc_status wrong =
        first_wrong(is_stream(at, stream, slice), is_batch(tokens), points_to(response));
    return when_right(wrong, [&] {
      sequence kept = sequence_of(*response);
      on(stream, [&](auto which) {
        of(at).template observe_tokens<which>(slice, batch_of(*tokens), kept);
      });
      keep(kept, *response);
    });
  }

  static tikc_status end_response(void* at, std::uint32_t stream, std::uint32_t slice,
                                  tikc_sequence* response, std::uint64_t id) {
    return when_right(first_wrong(is_stream(at, stream, slice), points_to(response)), [&] {
      const sequence kept = sequence_of(*response);
      on(stream, [&](auto which) { of(at).template end_sequence<which>(slice, kept, id); });
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
      on(stream, [&](auto which) { of(at).template observe_routes<which>(slice, share, id); });
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
    return first_wrong(is_object<observed>(at), is_below(slice, slices));
  }
  static tikc_status is_stream(const void* at, std::uint32_t stream, std::uint32_t slice) {
    return first_wrong(is_object<observed>(at), is_below(stream, streams), is_below(slice, slices));
  }
  static tikc_status is_row(const tikc_row* row) {
    const tikc_status wrong = points_to(row);
    return wrong != TIKC_OK ? wrong
                            : first_wrong(has_bytes(row->data, row->tokens),
                                          row->format > TIKC_FP8_E5M2 ? TIKC_VALUE : TIKC_OK,
                                          is_size(row->tokens));
  }
  static tikc_status is_size(std::size_t tokens) {
    return Plan::vocabulary != 0 && tokens != Plan::vocabulary ? TIKC_SIZE : TIKC_OK;
  }
  static row_view view(const tikc_row& row) {
    return {row.data, static_cast<number_format>(row.format)};
  }

  template <class Act> static void on(std::uint32_t stream, Act&& act) {
    choose(stream, act, std::make_index_sequence<streams>());
  }
  template <class Act, std::size_t... At>
  static void choose(std::uint32_t stream, Act& act, std::index_sequence<At...>) {
    ((stream == At ? act(std::integral_constant<std::size_t, At>()) : void()), ...);
  }
};

} // namespace tikc::c
