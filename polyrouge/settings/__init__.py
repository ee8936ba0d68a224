"""Every setting, what it may be, and the signature that names it."""
