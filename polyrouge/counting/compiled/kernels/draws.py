"""Count how often each sample is drawn, equal to the plain ``scoring/resamples.py``."""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_draws(stream: pc_u64, unit: i64, n_units: i64, bits: i64, n: u64, counts: p_f64, n_resamples: i64) -> i64:
    """Count the draws of each resample, from a unit of the stream on; return the unit behind, or -1 at its end."""
    of_unit: u64 = (cython.cast(u64, 1) << bits) - 1
    threshold: u64 = (of_unit + 1 - n) % n
    unit_bits: i64 = 2 if bits == 16 else 1  # of a unit's place in its word
    in_word: i64 = (cython.cast(i64, 1) << unit_bits) - 1
    product: u64
    for resample in range(n_resamples):
        row: p_f64 = counts + resample * cython.cast(i64, n)
        fill_bytes(row, 0, n * cython.sizeof(f64))
        n_drawn: u64 = 0
        while n_drawn < n:
            if unit == n_units:
                return -1
            product = (stream[unit >> unit_bits] >> (unit & in_word) * bits & of_unit) * n
            unit += 1
            if (product & of_unit) >= threshold:
                row[product >> bits] += 1
                n_drawn += 1
    return unit


def count_draws(
    stream: cython.const[u64][::1],
    unit: cython.longlong,
    bits: cython.longlong,
    n: cython.longlong,
    counts: f64[:, ::1],
):
    """Set counts, float64[n_resamples, n], to how often each sample is drawn; return the unit behind, or -1.

    A unit of 16 or 32 ``bits`` of the stream makes a draw, or is refused so that all draws are equally likely. -1 means
    that the stream has too few.
    """
    if bits not in (16, 32) or not 0 < n <= cython.cast(i64, 1) << bits or counts.shape[1] != n or unit < 0:
        raise ValueError("a draw must fit into its bits, and each row must have a cell for each sample")
    n_units: i64 = stream.shape[0] * (64 // bits)
    if counts.shape[0] == 0:
        return unit
    with cython.nogil:
        end = fill_draws(
            cython.address(stream[0]) if n_units else cython.NULL,
            unit,
            n_units,
            bits,
            n,
            cython.address(counts[0, 0]),
            counts.shape[0],
        )
    return end  # noqa: RET504 an object cannot be made without the GIL
