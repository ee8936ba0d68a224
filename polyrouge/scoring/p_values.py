"""From what was resampled to p-values, and their correction where several pairs are tested."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def p_values(null: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 + #{abs(null) >= abs(observed)}) / (1 + resamples), along axis 0 of ``null``."""
    extreme = (np.abs(null) >= np.abs(observed)).sum(axis=0)
    return (extreme + 1) / (len(null) + 1)


def holm_adjusted(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm's (1979) step-down correction along axis 0: the family-wise error stays below alpha.

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on; none may be below
    the one before it, nor above 1.

    Args:
        p_values: float64[m, ...]; each column is a family of m tests.
    """
    m = len(p_values)
    order = np.argsort(p_values, axis=0, kind="stable")
    factors = np.arange(m, 0, -1).reshape(-1, *[1] * (p_values.ndim - 1))
    stepped = np.maximum.accumulate(np.take_along_axis(p_values, order, axis=0) * factors, axis=0)
    adjusted = np.empty_like(stepped)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=0)
    return adjusted
