"""The kernels. Each has a plain twin that says what it counts."""
