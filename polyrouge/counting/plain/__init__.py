"""The plain engine: each rule of counting as it can be held against the paper."""
