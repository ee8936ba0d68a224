"""What systems miss and add, which of their outputs look wrong, and which hits make the difference of two of them."""
