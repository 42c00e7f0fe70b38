"""What ctypes has to know of libtikc. Written by prototypes.py from c_types.h and tikc.h."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_uint8, c_void_p
from typing import Any, Dict, List, Optional, Tuple

C_ABI = 6
ABSENT = -1.0
ABI = 3
OK = 0
NULL = 1
OBJECT = 2
ALIGNMENT = 3
ROOM = 4
RANGE = 5
VALUE = 6
SIZE = 7
UNBOUND = 8
MEMORY = 9
TRUNCATED = 10
FOREIGN = 11
VERSION = 12
FINGERPRINT = 13
TRAILING = 14
CHECKSUM = 15
PAYLOAD = 16
FILE = 17
REFUSED = 18
FAULT = 19
UNDECIDED = 0
SATISFIED = 1
VIOLATED = 2
UNASKED = 3
KEPT = 4
FP32 = 0
BF16 = 1
FP16 = 2
FP8_E4M3 = 3
FP8_E5M2 = 4
AS_USUAL = 0
ALERT = 1
SAMPLE = 2
CORRECT = 3
ROUTE = 4
QUARANTINE = 5
HOLD = 6
ROLLBACK = 7
REWARD = 0
STEP_REWARD = 1
ADVANTAGE = 2
SCORE_NORM = 3
LENGTH = 4
RATIO = 5
MISSING_MASS = 6
UNSEEN = 7
UNWATCHED = 0
HELD = 1
BROKEN = 2
SHOWN = 0
NOT_SHOWN = 1
SUSPENDED = 2
REFUTED_IN_EFFECT = 3
ACTIVATED = 0
STEPPED = 1
RELEASED = 2
RESET = 3
WORST = 4
NOTE = 1
WARNING = 2
ERROR = 3
PROVED = 0
REFUTED = 1
UNPROVED = 2
STATUSES = ("OK", "NULL", "OBJECT", "ALIGNMENT", "ROOM", "RANGE", "VALUE", "SIZE", "UNBOUND", "MEMORY", "TRUNCATED", "FOREIGN", "VERSION", "FINGERPRINT", "TRAILING", "CHECKSUM", "PAYLOAD", "FILE", "REFUSED", "FAULT")


class Shape(Structure):
    vocabulary: int
    scratch_bytes: int
    slices: int
    streams: int
    clauses: int
    checks: int
    rules: int
    stages: int
    _fields_ = [
        ("vocabulary", c_size_t),
        ("scratch_bytes", c_size_t),
        ("slices", c_uint32),
        ("streams", c_uint32),
        ("clauses", c_uint32),
        ("checks", c_uint32),
        ("rules", c_uint32),
        ("stages", c_uint32),
    ]


class Row(Structure):
    data: Optional[int]
    tokens: int
    format: int
    _fields_ = [
        ("data", c_void_p),
        ("tokens", c_size_t),
        ("format", c_uint32),
    ]


class Tokens(Structure):
    train: Optional[int]
    infer: Optional[int]
    mask: Optional[int]
    size: int
    first: int
    _fields_ = [
        ("train", c_void_p),
        ("infer", c_void_p),
        ("mask", c_void_p),
        ("size", c_size_t),
        ("first", c_uint64),
    ]


class Numbers(Structure):
    values: Optional[int]
    mask: Optional[int]
    size: int
    first: int
    step: int
    _fields_ = [
        ("values", c_void_p),
        ("mask", c_void_p),
        ("size", c_size_t),
        ("first", c_uint64),
        ("step", c_uint64),
    ]


class Sequence(Structure):
    sum: float
    rest: float
    tokens: int
    least: float
    begun: int
    figures: Any
    _fields_ = [
        ("sum", c_double),
        ("rest", c_double),
        ("tokens", c_uint64),
        ("least", c_float),
        ("begun", c_uint32),
        ("figures", c_double * 8),
    ]


class RequestTimes(Structure):
    latency: float
    first_token_latency: float
    inter_token_latency: float
    throughput: float
    failed: int
    _fields_ = [
        ("latency", c_double),
        ("first_token_latency", c_double),
        ("inter_token_latency", c_double),
        ("throughput", c_double),
        ("failed", c_uint32),
    ]


class Volume(Structure):
    tokens: int
    sequences: int
    requests: int
    rows: int
    routes: int
    batch_replays: int
    request_replays: int
    served_tokens: int
    served_requests: int
    _fields_ = [
        ("tokens", c_uint64),
        ("sequences", c_uint64),
        ("requests", c_uint64),
        ("rows", c_uint64),
        ("routes", c_uint64),
        ("batch_replays", c_uint64),
        ("request_replays", c_uint64),
        ("served_tokens", c_uint64),
        ("served_requests", c_uint64),
    ]


class Offender(Structure):
    value: float
    id: int
    _fields_ = [
        ("value", c_double),
        ("id", c_uint64),
    ]


class Finding(Structure):
    value: float
    low: float
    high: float
    observations: int
    verdict: int
    is_kept: int
    worst_count: int
    worst: Any
    _fields_ = [
        ("value", c_double),
        ("low", c_double),
        ("high", c_double),
        ("observations", c_uint64),
        ("verdict", c_uint32),
        ("is_kept", c_uint32),
        ("worst_count", c_uint32),
        ("worst", Offender * WORST),
    ]


class Assumption(Structure):
    key: bytes
    says: bytes
    low: float
    high: float
    quantity: int
    _fields_ = [
        ("key", c_char_p),
        ("says", c_char_p),
        ("low", c_double),
        ("high", c_double),
        ("quantity", c_uint32),
    ]


class Watched(Structure):
    least: float
    greatest: float
    outside: float
    count: int
    unknown: int
    state: int
    worst_count: int
    worst: Any
    _fields_ = [
        ("least", c_double),
        ("greatest", c_double),
        ("outside", c_double),
        ("count", c_uint64),
        ("unknown", c_uint64),
        ("state", c_uint32),
        ("worst_count", c_uint32),
        ("worst", Offender * WORST),
    ]


class Transition(Structure):
    tick: int
    rule: int
    slice: int
    change: int
    step: int
    stage: int
    clause: int
    seen: int
    _fields_ = [
        ("tick", c_uint64),
        ("rule", c_uint32),
        ("slice", c_uint32),
        ("change", c_uint32),
        ("step", c_uint32),
        ("stage", c_uint32),
        ("clause", c_int32),
        ("seen", c_uint32),
    ]


class Action(Structure):
    kind: int
    rule: int
    text: bytes
    first: float
    second: float
    _fields_ = [
        ("kind", c_uint32),
        ("rule", c_uint32),
        ("text", c_char_p),
        ("first", c_double),
        ("second", c_double),
    ]


class Place(Structure):
    file: bytes
    begin: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    _fields_ = [
        ("file", c_char_p),
        ("begin", c_uint32),
        ("end", c_uint32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("end_line", c_uint32),
        ("end_column", c_uint32),
    ]


class Diagnostic(Structure):
    code: bytes
    name: bytes
    message: bytes
    label: bytes
    place: Place
    severity: int
    notes: int
    related: int
    fixes: int
    _fields_ = [
        ("code", c_char_p),
        ("name", c_char_p),
        ("message", c_char_p),
        ("label", c_char_p),
        ("place", Place),
        ("severity", c_uint32),
        ("notes", c_uint32),
        ("related", c_uint32),
        ("fixes", c_uint32),
    ]


class Related(Structure):
    message: bytes
    place: Place
    _fields_ = [
        ("message", c_char_p),
        ("place", Place),
    ]


class Fix(Structure):
    title: bytes
    is_safe: int
    edits: int
    _fields_ = [
        ("title", c_char_p),
        ("is_safe", c_uint32),
        ("edits", c_uint32),
    ]


class Edit(Structure):
    text: bytes
    place: Place
    _fields_ = [
        ("text", c_char_p),
        ("place", Place),
    ]


class Claim(Structure):
    contract: bytes
    name: bytes
    asked: bytes
    proved: bytes
    slack: bytes
    slices: Any
    slice_count: int
    verdict: int
    is_draft: int
    _fields_ = [
        ("contract", c_char_p),
        ("name", c_char_p),
        ("asked", c_char_p),
        ("proved", c_char_p),
        ("slack", c_char_p),
        ("slices", POINTER(c_char_p)),
        ("slice_count", c_uint32),
        ("verdict", c_uint32),
        ("is_draft", c_uint32),
    ]


class Field(Structure):
    name: bytes
    values: Any
    value_count: int
    is_text: int
    _fields_ = [
        ("name", c_char_p),
        ("values", POINTER(c_char_p)),
        ("value_count", c_uint32),
        ("is_text", c_uint32),
    ]


class Piece(Structure):
    source: bytes
    stage: bytes
    place: int
    failed: int
    step: float
    begins: float
    ends: float
    token_bits: int
    _fields_ = [
        ("source", c_char_p),
        ("stage", c_char_p),
        ("place", c_uint64),
        ("failed", c_uint64),
        ("step", c_double),
        ("begins", c_double),
        ("ends", c_double),
        ("token_bits", c_uint32),
    ]


class Summary(Structure):
    pieces: int
    sources: int
    tokens: int
    responses: int
    rows: int
    failed: int
    first: float
    last: float
    origins: int
    _fields_ = [
        ("pieces", c_uint64),
        ("sources", c_uint64),
        ("tokens", c_uint64),
        ("responses", c_uint64),
        ("rows", c_uint64),
        ("failed", c_uint64),
        ("first", c_double),
        ("last", c_double),
        ("origins", c_uint32),
    ]


class Origin(Structure):
    contract: bytes
    version: bytes
    build: bytes
    digest: bytes
    stage: bytes
    fingerprint: int
    pieces: int
    _fields_ = [
        ("contract", c_char_p),
        ("version", c_char_p),
        ("build", c_char_p),
        ("digest", c_char_p),
        ("stage", c_char_p),
        ("fingerprint", c_uint64),
        ("pieces", c_uint64),
    ]


SINK = CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)
VISIT = CFUNCTYPE(None, POINTER(Action), c_void_p)
FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "tikc_abi": (c_uint32, []),
    "tikc_version": (c_char_p, []),
    "tikc_status_name": (c_char_p, [c_uint32]),
    "tikc_open": (c_uint32, [c_char_p, c_void_p]),
    "tikc_read": (c_uint32, [c_char_p, c_size_t, c_char_p, c_void_p]),
    "tikc_document_destroy": (c_uint32, [c_void_p]),
    "tikc_document_message": (c_char_p, [c_void_p]),
    "tikc_document_counts": (c_uint32, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tikc_document_diagnostic": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_document_note": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_document_related": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_document_fix": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_document_edit": (c_uint32, [c_void_p, c_uint32, c_uint32, c_uint32, c_void_p]),
    "tikc_document_claim": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_document_write_json": (c_uint32, [c_void_p, SINK, c_void_p]),
    "tikc_document_contract": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_document_refusal": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_contract_destroy": (c_uint32, [c_void_p]),
    "tikc_contract_name": (c_char_p, [c_void_p]),
    "tikc_contract_version": (c_char_p, [c_void_p]),
    "tikc_contract_is_draft": (c_uint32, [c_void_p]),
    "tikc_contract_build": (c_char_p, [c_void_p]),
    "tikc_contract_digest": (c_char_p, [c_void_p]),
    "tikc_contract_fingerprint": (c_uint64, [c_void_p]),
    "tikc_contract_shape": (c_uint32, [c_void_p, c_void_p]),
    "tikc_contract_slice_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_stream_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_stage_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_clause_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_check_text": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_clause_checks": (c_uint32, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "tikc_contract_within": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "tikc_contract_within_response": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "tikc_contract_assumption": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_contract_claim_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_claim_text": (c_char_p, [c_void_p, c_uint32]),
    "tikc_contract_claim_rests_on": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_contract_claim_ground": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "tikc_contract_fields": (c_uint32, [c_void_p, c_void_p]),
    "tikc_contract_field": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_contract_find_field": (c_uint32, [c_void_p, c_char_p, c_void_p]),
    "tikc_contract_bounds": (c_uint32, [c_void_p, c_uint32, c_void_p, c_size_t, c_void_p]),
    "tikc_observe_responses": (c_uint32, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p, c_size_t]),
    "tikc_tokens_refused": (c_uint32, [c_void_p, SINK, c_void_p]),
    "tikc_request_create": (c_uint32, [c_void_p, c_void_p]),
    "tikc_request_destroy": (c_uint32, [c_void_p]),
    "tikc_request_clear": (c_uint32, [c_void_p]),
    "tikc_request_set_number": (c_uint32, [c_void_p, c_uint32, c_double]),
    "tikc_request_set_text": (c_uint32, [c_void_p, c_uint32, c_char_p, c_size_t]),
    "tikc_slice_of": (c_uint32, [c_void_p, c_void_p]),
    "tikc_tally_create": (c_uint32, [c_void_p, c_void_p]),
    "tikc_tally_destroy": (c_uint32, [c_void_p]),
    "tikc_tally_clear": (c_uint32, [c_void_p]),
    "tikc_tally_merge": (c_uint32, [c_void_p, c_void_p]),
    "tikc_tally_serve": (c_uint32, [c_void_p, c_uint32, c_uint64, c_uint64]),
    "tikc_tally_hand_in": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_tally_observe_row": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p, c_void_p, c_size_t, c_uint64]),
    "tikc_tally_observe_tokens": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_tally_observe_mixed_tokens": (c_uint32, [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]),
    "tikc_tally_observe_response": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_void_p]),
    "tikc_tally_end_response": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p, c_uint64]),
    "tikc_tally_observe_request": (c_uint32, [c_void_p, c_uint32, c_void_p, c_uint64]),
    "tikc_tally_observe_batch_replay": (c_uint32, [c_void_p, c_uint32, c_double, c_uint64]),
    "tikc_tally_observe_request_replay": (c_uint32, [c_void_p, c_uint32, c_double, c_uint64]),
    "tikc_tally_observe_routes": (c_uint32, [c_void_p, c_uint32, c_uint32, c_double, c_uint64]),
    "tikc_tally_volume": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_tally_wire_size": (c_uint32, [c_void_p, c_void_p]),
    "tikc_tally_serialise": (c_uint32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "tikc_tally_parse": (c_uint32, [c_void_p, c_void_p, c_size_t]),
    "tikc_checker_create": (c_uint32, [c_void_p, c_void_p]),
    "tikc_checker_destroy": (c_uint32, [c_void_p]),
    "tikc_checker_start": (c_uint32, [c_void_p, c_double]),
    "tikc_checker_merge": (c_uint32, [c_void_p, c_void_p]),
    "tikc_checker_evaluate": (c_uint32, [c_void_p, c_double]),
    "tikc_checker_end_step": (c_uint32, [c_void_p]),
    "tikc_checker_verdict": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_checker_is_kept": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_checker_is_unexpected": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_checker_finding": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_checker_assumption": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_checker_claim": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_checker_write_json": (c_uint32, [c_void_p, c_void_p, SINK, c_void_p]),
    "tikc_checker_write_prometheus": (c_uint32, [c_void_p, c_void_p, SINK, c_void_p]),
    "tikc_checker_write_openmetrics": (c_uint32, [c_void_p, c_void_p, SINK, c_void_p]),
    "tikc_router_create": (c_uint32, [c_void_p, c_void_p]),
    "tikc_router_destroy": (c_uint32, [c_void_p]),
    "tikc_router_rule_name": (c_char_p, [c_void_p, c_uint32]),
    "tikc_router_tick": (c_uint32, [c_void_p, c_void_p, c_uint32]),
    "tikc_router_tick_verdicts": (c_uint32, [c_void_p, c_void_p, c_size_t, c_uint32]),
    "tikc_router_transitions": (c_uint32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "tikc_router_decide": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_router_visit": (c_uint32, [c_void_p, c_uint32, VISIT, c_void_p]),
    "tikc_router_is_active": (c_uint32, [c_void_p, c_uint32, c_uint32, c_void_p]),
    "tikc_router_reset": (c_uint32, [c_void_p, c_uint32, c_uint32]),
    "tikc_router_wire_size": (c_uint32, [c_void_p, c_void_p]),
    "tikc_router_serialise": (c_uint32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "tikc_router_parse": (c_uint32, [c_void_p, c_void_p, c_size_t]),
    "tikc_trainer_name": (c_char_p, [c_uint32]),
    "tikc_batch_create": (c_uint32, [c_uint32, c_double, c_void_p]),
    "tikc_batch_destroy": (c_uint32, [c_void_p]),
    "tikc_batch_clear": (c_uint32, [c_void_p]),
    "tikc_batch_merge": (c_uint32, [c_void_p, c_void_p]),
    "tikc_batch_add": (c_uint32, [c_void_p, c_void_p]),
    "tikc_batch_figures": (c_uint32, [c_void_p, c_void_p]),
    "tikc_batch_figure": (c_uint32, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "tikc_signs_create": (c_uint32, [c_void_p]),
    "tikc_signs_destroy": (c_uint32, [c_void_p]),
    "tikc_signs_clear": (c_uint32, [c_void_p]),
    "tikc_signs_merge": (c_uint32, [c_void_p, c_void_p]),
    "tikc_signs_add": (c_uint32, [c_void_p, c_void_p, c_double, c_double]),
    "tikc_evidence_create": (c_uint32, [c_void_p, c_void_p, c_void_p]),
    "tikc_evidence_create_with": (c_uint32, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "tikc_evidence_destroy": (c_uint32, [c_void_p]),
    "tikc_evidence_read": (c_uint32, [c_void_p, c_size_t, c_char_p, c_void_p, SINK, c_void_p]),
    "tikc_evidence_serialise": (c_uint32, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "tikc_evidence_merge": (c_uint32, [c_void_p, c_void_p, c_uint32, SINK, c_void_p]),
    "tikc_evidence_summary": (c_uint32, [c_void_p, c_void_p]),
    "tikc_evidence_origin": (c_uint32, [c_void_p, c_uint32, c_void_p]),
    "tikc_evidence_measure": (c_uint32, [c_void_p, c_void_p, c_uint32, SINK, c_void_p]),
    "tikc_evidence_diagnose": (c_uint32, [c_void_p, SINK, c_void_p]),
    "tikc_evidence_report": (c_uint32, [c_void_p, c_void_p, c_uint32, SINK, c_void_p]),
}
