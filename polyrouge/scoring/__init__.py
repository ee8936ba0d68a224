"""Turn counts into scores, scores of samples, and the result."""
