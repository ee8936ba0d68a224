"""Its module ``rouge`` holds the class."""
