"""Systems side by side, and conventions side by side."""
