"""What systems miss and add, outputs that look wrong, and why two systems differ."""
