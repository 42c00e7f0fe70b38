"""How logits are stored: every number format, as the bytes that an engine would hand over and the numbers that they stand for."""

import numpy as np

FORMATS = ["fp32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"]  # as in the runtime's enumeration


def to_bf16(values):
    bits = values.astype(np.float32).view(np.uint32)
    half = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    half = np.where(np.isfinite(values), half, (bits >> 16)).astype(np.uint16)
    return (half.astype(np.uint32) << 16).view(np.float32), half.tobytes()


def eighths(exponent_bits, has_infinities):
    """The number of every byte of an 8-bit format."""
    fraction_bits = 7 - exponent_bits
    codes = np.arange(256)
    fraction, exponent = codes % 2**fraction_bits, codes >> fraction_bits & 2**exponent_bits - 1
    bias = 2 ** (exponent_bits - 1) - 1
    size = np.where(exponent == 0, np.ldexp(fraction / 2**fraction_bits, 1 - bias), np.ldexp(1 + fraction / 2**fraction_bits, exponent - bias))
    last = exponent == 2**exponent_bits - 1
    size = np.where(last & (fraction == 2**fraction_bits - 1), np.nan, size) if not has_infinities else np.where(
        last, np.where(fraction == 0, np.inf, np.nan), size)
    return np.where(codes < 128, size, -size).astype(np.float32)


EIGHTHS = {"fp8_e4m3": eighths(4, False), "fp8_e5m2": eighths(5, True)}


def to_eighths(values, table):
    """The nearest of the format's; what is beyond the largest is that, and what the format lacks is NaN."""
    order = np.argsort(np.where(np.isfinite(table), table, np.inf), kind="stable")[: np.isfinite(table).sum()]
    sorted_values = table[order].astype(float)
    at = np.searchsorted((sorted_values[1:] + sorted_values[:-1]) / 2, np.where(np.isnan(values), 0, values))
    codes = order[at].astype(np.uint8)
    nan = np.flatnonzero(np.isnan(table))[0]
    for odd in (np.inf, -np.inf):
        codes[values == odd] = np.flatnonzero(table == odd)[0] if (table == odd).any() else nan
    codes[np.isnan(values)] = nan
    return table[codes], codes.tobytes()


def stored(values, number_format):
    """The numbers as float32, and their bytes."""
    if number_format == "fp32":
        return values, values.tobytes()
    if number_format == "bf16":
        return to_bf16(values)
    if number_format == "fp16":
        half = values.astype(np.float16)
        return half.astype(np.float32), half.tobytes()
    return to_eighths(values, EIGHTHS[number_format])
