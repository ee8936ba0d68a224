"""The command ``polyrouge``: reading files, tables, benchmark recipes. Needs the extra ``cli``."""
