"""Systems, checkpoints and conventions side by side; gates; agreement with people; settings behind published scores."""
