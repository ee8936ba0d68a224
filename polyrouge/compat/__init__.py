"""The public interfaces of other ROUGE packages, with their numbers: change one import line and keep the rest."""
