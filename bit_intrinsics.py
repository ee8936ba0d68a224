"""Compiled: single machine instructions that numba has no Python name for.

Inlined into each kernel that uses them (an intrinsic is code, not a call), so that a kernel file can
be cached by itself.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["bit_length", "count_bits", "load_eight", "trailing_zeros"]

_WORD = ir.IntType(64)


@intrinsic
def load_eight(_context: Any, data: Any, place: Any) -> Any:
    """``data[place : place + 8]`` of a uint8 array as one uint64, at any alignment."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), _WORD.as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(data, types.intp), build


@intrinsic
def trailing_zeros(_context: Any, word: Any) -> Any:
    """Number of zero bits below the lowest set bit; 64 for 0."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def bit_length(_context: Any, word: Any) -> Any:
    """Place of the highest set bit, counted from 1; 0 for 0."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_WORD, 64), zeros)

    return types.int64(types.uint64), build


@intrinsic
def count_bits(_context: Any, word: Any) -> Any:
    """Number of set bits."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build
