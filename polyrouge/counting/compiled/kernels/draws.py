"""Count how often each sample is drawn, equal to the plain ``scoring/resamples.py``."""

import cython


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
    n_samples: u64 = n
    of_unit: u64 = (cython.cast(u64, 1) << bits) - 1
    threshold: u64 = (of_unit + 1 - n_samples) % n_samples
    unit_bits: i64 = 2 if bits == 16 else 1  # of a unit's place in its word
    in_word: i64 = (cython.cast(i64, 1) << unit_bits) - 1
    product: u64
    with cython.nogil:
        for resample in range(counts.shape[0]):
            row: p_f64 = cython.address(counts[resample, 0])
            fill_bytes(row, 0, n * cython.sizeof(f64))
            n_drawn: i64 = 0
            while n_drawn < n and 0 <= unit < n_units:
                product = (stream[unit >> unit_bits] >> (unit & in_word) * bits & of_unit) * n_samples
                unit += 1
                if (product & of_unit) >= threshold:
                    row[product >> bits] += 1
                    n_drawn += 1
            if n_drawn < n:
                unit = -1
    return unit
