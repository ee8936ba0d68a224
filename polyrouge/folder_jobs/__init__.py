"""Score folders of files partition by partition, on this machine, Ray or Spark; what was finished is not done again."""
