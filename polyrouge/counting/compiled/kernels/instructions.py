"""Compiled: single machine instructions that numba has no Python name for.

Inlined into each kernel that uses them (an intrinsic is code, not a call), so that a kernel file can
be cached by itself.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_BYTES = ir.VectorType(ir.IntType(8), 64)


@intrinsic
def load_eight(_context: Any, data: Any, place: Any) -> Any:
    """``data[place : place + 8]`` of a uint8 array as one uint64, at any alignment."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), _WORD.as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(data, types.intp), build


def _load_vector(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """``data[place : place + 64]`` as one vector."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), _BYTES.as_pointer())
    return builder.load(pointer, align=1)


def _splat(byte: int) -> Any:
    return ir.Constant(_BYTES, [ir.Constant(ir.IntType(8), byte)] * 64)


@intrinsic
def alphanumeric_bytes(_context: Any, data: Any, place: Any) -> Any:
    """Bit i: ``data[place + i]`` of a uint8 array is an ASCII letter or digit; and bit i: it is 128 or more."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _load_vector(context, builder, signature, arguments)
        folded = builder.sub(builder.or_(vector, _splat(0x20)), _splat(ord("a")))
        letters = builder.icmp_unsigned("<", folded, _splat(26))
        digits = builder.icmp_unsigned("<", builder.sub(vector, _splat(ord("0"))), _splat(10))
        words = builder.bitcast(builder.or_(letters, digits), _WORD)
        high = builder.bitcast(builder.icmp_unsigned(">=", vector, _splat(0x80)), _WORD)
        return context.make_tuple(builder, signature.return_type, [words, high])

    return types.UniTuple(types.uint64, 2)(data, types.intp), build


@intrinsic
def bytes_equal_to(_context: Any, data: Any, place: Any, byte: Any) -> Any:
    """Bit i: ``data[place + i]`` of a uint8 array is the byte."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _load_vector(context, builder, signature, arguments)
        first = builder.insert_element(ir.Constant(_BYTES, ir.Undefined), arguments[2], ir.Constant(ir.IntType(32), 0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), 64), [ir.Constant(ir.IntType(32), 0)] * 64)
        wanted = builder.shuffle_vector(first, ir.Constant(_BYTES, ir.Undefined), places)
        return builder.bitcast(builder.icmp_unsigned("==", vector, wanted), _WORD)

    return types.uint64(data, types.intp, types.uint8), build


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
