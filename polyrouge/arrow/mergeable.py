"""Which settings give results that can be made of sums, and which two settings' sums belong together."""

from __future__ import annotations

from polyrouge.settings.rouge_settings import RougeSettings

_INSTEAD = {
    "running_mean": "adds floats in the order of the rows",
    "numpy_mean": "adds floats by places of rows",
    "bootstrap_median": "draws from all rows, anew in each run",
}


def signature_of(settings: RougeSettings) -> str:
    """The signature without ``engine`` and ``threads``, which move no score."""
    return settings.replace(engine="auto", threads=0).signature()


def refuse_without_sums(settings: RougeSettings) -> None:
    """Raise for settings of which no sums can be made."""
    rules = settings.result_rules
    msg = ""
    if not rules.use_aggregator:
        msg = "use_aggregator=False asks for lists, which a partial result has not; keep the scored table."
    elif rules.aggregate in _INSTEAD:
        msg = (
            f"aggregate={rules.aggregate!r} {_INSTEAD[rules.aggregate]}, so it can not be made of partial results. "
            "Give aggregate='mean', which is exact before its one rounding and differs in the last digits only; or "
            "keep the scores of all rows."
        )
    elif rules.confidence is not None and rules.interval != "poisson":
        msg = (
            f"interval={rules.interval!r} draws rows by their places among all rows, so it can not be made of partial "
            "results. Give interval='poisson', here and on one machine."
        )
    if msg:
        raise ValueError(msg)


def refuse_other_settings(first: str, second: str) -> None:
    """Raise where two signatures differ, and name the entries that do."""
    if first == second:
        return
    one, other = (dict(entry.split(":", 1) for entry in text.split("|")) for text in (first, second))
    different = [
        f"{key}:{one.get(key, '(default)')} and {key}:{other.get(key, '(default)')}"
        for key in dict.fromkeys([*one, *other])
        if one.get(key) != other.get(key)
    ]
    raise ValueError(
        f"These partial results were made by different settings: {'; '.join(different)}. Score all rows by the same."
    )
