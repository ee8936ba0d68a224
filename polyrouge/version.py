"""The version of the package: it stands in every signature, so a score change raises it."""

VERSION = "0.1.0"
"""As in the signature: a text such as ``"0.1.0"``."""
