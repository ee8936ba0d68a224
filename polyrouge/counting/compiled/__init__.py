"""The compiled engine: the same counts from kernels over arrays of ids."""
