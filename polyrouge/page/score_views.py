"""Score what a visitor typed, and show scores as HTML tables and strips, with what they mean. All text is escaped."""

import contextlib
import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from polyrouge.beyond.recipes.loading import load_recipe
from polyrouge.beyond.recipes.recipe import Recipe
from polyrouge.comparing.convention_table import ComparedTexts, ConventionRow
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.errors import hearing_warnings
from polyrouge.explaining.explanation import Explanation
from polyrouge.page.choices import Choice, choice_labels
from polyrouge.page.highlight import counts_words
from polyrouge.page.limits import check_pair
from polyrouge.page.wording import PageError, fold_html, page_link, say, say_html, say_metric_words, say_note, soft_html
from polyrouge.results import shown_number

_COMPARED = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_KINDS = ("cnn_dailymail", "xsum", "samsum", "gigaword", "lcsts", "csl")  # recipes, each for a kind of text
# Errors whose own words a visitor may read, in English: they say what the metric refuses.
REFUSALS = (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError)
_MEASURES = ("precision", "recall", "fmeasure")
_UNFIT = {"another_language": "madeFor", "letters_dropped": "dropsLetters", "no_token": "dropsLetters"}  # else clauses


class ScoredPair(NamedTuple):
    """One scored sample, with Python that gives the same scores."""

    scores: dict[str, float]
    explanation: Explanation
    signature: str
    python: str
    notes: list[str]

    def names(self) -> list[str]:
        """Return the types that are shown: rougeLsum where it is not the same as rougeL."""
        types = self.explanation.types
        of_l, of_sum = (
            [getattr(types.get(name), part, name) for part in _MEASURES] for name in ("rougeL", "rougeLsum")
        )
        return [name for name in types if name != "rougeLsum" or of_l != of_sum]


def split_references(text: str) -> list[str]:
    """Return the references of a text box: separated by lines of three dashes or more; blank ones are none."""
    parts = re.split(r"^[ \t]*-{3,}[ \t]*$", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    return [part.strip("\n") for part in parts if part.strip()]


def score_pair(prediction: str, references: list[str], choice: Choice, language: str = "en") -> ScoredPair:
    """Score what was typed; raises a ``PageError`` of a limit, and what the metric raises."""
    check_pair(prediction, references, language)
    rouge = choice.rouge()
    with hearing_warnings() as warnings:
        scores = rouge.compute([prediction], [references])
        explanation = rouge.explain(prediction, references)
    python, notes = choice.python(prediction, references), list(dict.fromkeys(warnings))
    return ScoredPair(scores, explanation, rouge.signature(), python, notes)


def compare_all(prediction: str, references: list[str], language: str = "en") -> list[tuple[ConventionRow, str]]:
    """For each convention a row of the table, and why its tool refuses the texts, or "". The first is ``default``.

    Raises a ``PageError`` of a limit, and ``ValueError`` where the texts can't be scored at all.
    """
    check_pair(prediction, references, language)
    rows = []
    with hearing_warnings():
        texts = ComparedTexts([prediction], [references], CONVENTIONS["default"], tuple(_COMPARED))
        for name, convention in CONVENTIONS.items():
            row, refusal = ConventionRow(name, dict.fromkeys(_COMPARED), (), convention.settings.signature()), ""
            try:
                row = texts.row(convention, is_strict=True)
            except (ValueError, RecursionError) as error:  # what the tool itself would say instead of a score
                refusal = str(error)
                with contextlib.suppress(ValueError, RecursionError):
                    row = texts.row(convention)
            rows.append((row, refusal))
    return rows


# Messages


def notes_html(notes: Iterable[str], language: str) -> str:
    """Return the metric's warnings."""
    items = "".join(f"<li>{escape(say_note(language, note))}</li>" for note in notes)
    title = f"<strong>{say_html(language, 'noteTitle')}</strong>"
    return f'<div class="pr-note" role="status">{title}<ul>{items}</ul></div>' if items else ""


def message_html(error: Exception, language: str) -> str:
    """Why something was not done, in the words of the page; in English what the metric says; else only the kind."""
    if isinstance(error, PageError) and error.key == "emptyReferences":  # nothing is wrong yet
        return soft_html(language, error.key)
    if isinstance(error, PageError):
        text = escape(error.sentence(language))
    elif isinstance(error, REFUSALS) and getattr(error, "filename", None) is None:  # a path of the server's
        text = f'<span lang="en">{escape(str(error))}</span>'
    else:
        text = say_html(language, "unexpected", kind=type(error).__name__)
    return f'<div class="pr-error" role="alert"><strong>{say_html(language, "errorTitle")}</strong> {text}</div>'


# Tables


def scores_html(pair: ScoredPair, choice: Choice, language: str) -> str:
    """Precision, recall and F of each type, with the counts; a click on a row shows what it has matched."""
    heads = [*(say(language, key) for key in ("type", "precision", "recall")), "F", say(language, "hits")]
    rows, names = "", pair.names()
    for name in names:
        counts = pair.explanation.types[name].counts
        cell = counts_words(counts) if counts else "–"
        pressed = str(name == names[0]).lower()
        title = f'<button type="button" aria-pressed="{pressed}">{escape(name)}</button>'
        if name == "rougeL" and "rougeLsum" in pair.explanation.types.keys() - set(names):
            title += '<span class="pr-soft">= rougeLsum</span>'
        rows += f'<tr data-view="{escape(name)}">{_score_cells(title, name, pair)}<td>{cell}</td></tr>'
    if "weighted" in pair.scores:
        rows += f"<tr>{_score_cells(say_html(language, 'weighted'), 'weighted', pair)}<td></td></tr>"
    (named,) = (label for label, key in choice_labels(language) if key == choice.convention)
    return _table(say(language, "scores", convention=named), heads, rows, kind="pr-table pr-scores")


def means_html(means: Mapping[str, Mapping[str, float]], language: str) -> str:
    """Return the mean F of each system and type."""
    types = list(next(iter(means.values())))
    rows = ""
    for system, of_types in means.items():
        cells = "".join(f'<td class="pr-measure">{shown_number(of_types[name], 2)}</td>' for name in types)
        rows += f'<tr><th scope="row">{escape(system)}</th>{cells}</tr>'
    return _table(say(language, "meansTitle"), [say(language, "system"), *types], rows)


def more_html(pair: ScoredPair, link: tuple[str, bool], language: str) -> str:
    """Return a link to what is shown, how to read it, and what others need to get the same."""
    parts = [link_html(link, language), meanings_html(pair.names(), language)]
    for key, text in (("signature", pair.signature), ("python", pair.python)):
        copy = f'<button type="button" data-done="{say_html(language, "copied")}">{say_html(language, "copy")}</button>'
        parts.append(fold_html(language, key, f"<pre><code>{escape(text)}</code></pre>{copy}"))
    return f'<div class="pr-more">{"".join(parts)}</div>'


def link_html(link: tuple[str, bool], language: str, more: str = "") -> str:
    """Return the button that copies a link, which is always one to what is shown."""
    query, is_whole = link
    done, failed = say_html(language, "linkCopied" if is_whole else "linkTooLong"), say_html(language, "linkYourself")
    data = f'data-link="{escape(query)}{more}" data-done="{done}" data-failed="{failed}"'
    return f'<p class="pr-more"><button type="button" {data}>{say_html(language, "link")}</button></p>'


def conventions_html(rows: Sequence[tuple[ConventionRow, str]], language: str) -> str:
    """Return strips of dots that show how far conventions move each score, then a table of them, the lowest first.

    Those that drop most of what the texts say are folded below, and what is not installed here is left out.
    """
    lines, unfit, refused = [], [], ""
    scores: dict[str, dict[str, float]] = {}
    for row, refusal in rows:
        reason = say_html(language, "refuses", reason=refusal) if refusal else ""
        known_scores = {key: score for key, score in row.scores.items() if score is not None and not math.isnan(score)}
        name = f"<code>{escape(row.name)}</code>"
        if not known_scores:
            refused += f"<li>{name}: {reason}</li>" if reason else ""
            continue
        differences = [say_metric_words(language, "differences", difference) for difference in row.differences]
        words = escape(say(language, "semicolon").join(differences))
        words = f"<details><summary>{words}</summary></details>" if words else say_html(language, "sameAs")
        if row.unfit is not None:
            made_for = say_metric_words(language, "languages", row.unfit.values.get("language", ""))
            words = say_html(language, _UNFIT.get(row.unfit.kind, "wholeClauses"), made_for=made_for)
        else:
            scores[row.name] = known_scores
        words += f"<strong>{reason}</strong>" if reason else ""
        used_by = escape(say_metric_words(language, "usedBy", CONVENTIONS[row.name].used_by))
        cells = "".join(f"<td>{shown_number(row.scores[key], 2)}</td>" for key in _COMPARED)
        cells += f'<td class="pr-words">{words}</td>'
        cells += f'<td class="pr-words">{used_by}</td>'
        (lines if row.unfit is None else unfit).append(
            (next(iter(known_scores.values())), f'<tr><th scope="row">{name}</th>{cells}</tr>')
        )
    heads = [say(language, "convention"), *_COMPARED.values()]
    heads += [say(language, "differs", name=rows[0][0].name), say(language, "usedBy")]
    tables = ["".join(line for _, line in sorted(of_kind, key=lambda line: line[0])) for of_kind in (lines, unfit)]
    table = _table(say(language, "tabConventions"), heads, tables[0], kind="pr-table pr-stacked")
    of_unfit = _table(say(language, "unfit", n=len(unfit)), heads, tables[1], kind="pr-table pr-stacked pr-unfit")
    strips = "".join(_strip(key, scores, rows[0][0].name) for key in _COMPARED)
    return (
        f'<div class="pr-strips">{strips}</div>{soft_html(language, "stripNote", name=rows[0][0].name)}'
        + (table if lines else "")
        + (fold_html(language, "unfit", of_unfit, n=len(unfit)) if unfit else "")
        + (fold_html(language, "notComputed", f"<ul>{refused}</ul>", n=refused.count("<li>")) if refused else "")
    )


def _strip(key: str, scores: dict[str, dict[str, float]], first: str) -> str:
    """One score under every convention: a dot for each value, the larger the more have it; the ends are named."""
    by_score: dict[float, list[str]] = {}
    for name in scores:
        if key in scores[name]:
            by_score.setdefault(round(scores[name][key], 2), []).append(name)
    if not by_score:
        return ""
    dots = ""
    for score, names in sorted(by_score.items()):
        style = f"left:{min(100, max(0, score)):g}%;--pr-n:{len(names) ** 0.5:.2f}"
        kind = ' class="pr-first"' if first in names else ""
        dots += f'<i{kind} style="{style}" title="{score:.2f}: {escape(", ".join(names))}"></i>'
    ends = []
    for score in (min(by_score), max(by_score)):
        names = by_score[score]
        more = f" +{len(names) - 1}" if len(names) > 1 else ""
        ends.append(f"<span><strong>{score:.2f}</strong> <code>{escape(names[0])}</code>{more}</span>")
    return f'<div><strong>{_COMPARED[key]}</strong>{ends[0]}<div aria-hidden="true">{dots}</div>{ends[1]}</div>'


def meanings_html(types: Sequence[str], language: str) -> str:
    """Return a sentence on each measure and type, what to report, and the usual values, all folded up."""
    named = [(say(language, name), say(language, f"mean_{name}")) for name in _MEASURES]
    named += [(name, say(language, f"mean_{_kind(name)}", n=name.removeprefix("rouge"))) for name in types]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in named)
    advice = f"<p>{say_html(language, 'whatToReport')} {page_link(language, 'whichRouge', 'which_rouge')}</p>"
    return fold_html(language, "meanings", f"<dl>{items}</dl>{advice}{_usual_values(language)}")


def _kind(name: str) -> str:
    """Return the key of a type's sentence: ``rougeN`` for 3-grams, ``rougeSU`` for rougeSU4."""
    kind = name.rstrip("0123456789")
    return name if kind == "rouge" and name in ("rouge1", "rouge2") else "rougeN" if kind == "rouge" else kind


@functools.cache
def _usual_values(language: str) -> str:
    """Return a table of the scores that published systems have on some benchmarks, times 100."""
    columns = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    rows = ""
    for name in _KINDS:
        cells = "".join(f"<td>{published_range(load_recipe(name), column)}</td>" for column in columns)
        rows += f'<tr><th scope="row">{say_html(language, f"kind_{name}")}</th>{cells}</tr>'
    table = _table(say(language, "usualValues"), [say(language, "kindOfText"), *columns], rows)
    return table + soft_html(language, "usualNote")


def published_range(recipe: Recipe, column: str) -> str:
    """Return the lowest and the highest score that the recipe's published systems have, baselines left out."""
    scores = [getattr(row, column) for row in recipe.published if not row.baseline]
    known_scores = [score for score in scores if score is not None]
    return f"{min(known_scores):.0f}–{max(known_scores):.0f}" if len(known_scores) > 1 else "–"


def _score_cells(title: str, key: str, pair: ScoredPair) -> str:
    """Three measures, F in bold; the title is HTML."""
    values = [shown_number(pair.scores[name], 2) for name in (f"{key}_precision", f"{key}_recall", key)]
    cells = "".join(f'<td class="pr-measure">{value}</td>' for value in values)
    return f'<th scope="row">{title}</th>{cells}'


def _table(title: str, heads: Sequence[str], rows: str, *, kind: str = "pr-table") -> str:
    """Return a table with a caption; rows are HTML."""
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<table class="{kind}"><caption>{escape(title)}</caption>'
        f"<thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table>"
    )
