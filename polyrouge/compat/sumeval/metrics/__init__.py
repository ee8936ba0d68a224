"""As in that package: ``rouge`` and ``lang``."""
