"""Score folders of files partition by partition, on this machine, Ray or Spark; a run can be resumed."""
