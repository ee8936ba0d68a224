"""What goes beyond a metric: texts against each other, sources, errors, judgements, benchmarks, Arrow, folders."""
