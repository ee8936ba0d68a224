"""``Rouge``: the metric as an object, without evaluate, its files, locks or network."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyrouge.conventions.registry import CONVENTIONS, find_convention, override
from polyrouge.counting.counts import Counts, pair_counts_of
from polyrouge.counting.loop import check_engine, count_pairs
from polyrouge.documents.document import check_packages, unused_stop_words
from polyrouge.documents.input_notes import InputNotes
from polyrouge.documents.notes import messages_of
from polyrouge.errors import shown_value, warn_of, warn_user
from polyrouge.inputs import Inputs, check_inputs, column_rows
from polyrouge.scoring.aggregates import (
    keys_of_types,
    mean_warnings,
    result_keys,
    result_of,
    result_of_columns,
    result_warnings,
    scale_scores,
)
from polyrouge.scoring.sample_scores import Scores, score_samples
from polyrouge.scoring.scores import point_scale
from polyrouge.scoring.single_pairs import FewPairs
from polyrouge.settings.allowed_values import CONFIDENCE, checked_number
from polyrouge.settings.effects import changed_settings, idle_settings
from polyrouge.settings.rouge_settings import (
    RougeSettings,
    RunOptions,
    is_keyword,
    split_run,
    unknown_setting,
)
from polyrouge.settings.signature import write_signature

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from polyrouge.conventions.common import Convention
    from polyrouge.counting.texts import SystemTexts
    from polyrouge.explaining.explanation import Explanation
    from polyrouge.settings.keywords import RougeKeywords
    from polyrouge.training.rewards import RougeReward
    from polyrouge.training.trainer import TrainerKeywords, TrainerMetrics

OF_DRAWS = ("n_resamples", "seed", "interval")
"""What comparisons draw by too, whether or not the metric has an interval."""


class Rouge:
    """ROUGE under one convention.

    It keeps no text from one call to the next, and one object may serve several threads. It can be pickled into another
    process.

    Examples:
        >>> rouge = Rouge("zh_word")
        >>> rouge.compute(["今天天气很好"], ["今天天气不错"], rouge_types=["rouge1", "rougeL"])
        {'rouge1': 0.4, 'rougeL': 0.4}

    Args:
        convention: name of a convention (``polyrouge.CONVENTIONS``): ``"default"``, ``"zh_char"``, ``"zh_word"``, or
            of a tool, such as ``"rouge_score"``, ``"rouge155"``, ``"pltrdy"``.
        **settings: fields of ``RougeSettings``, which override the convention's, and of ``RunOptions``.

    Attributes:
        settings: the ``RougeSettings`` of this object.
        run: its ``RunOptions``.

    Raises:
        ValueError: no such convention, or a value that is not allowed.
        TypeError: no such setting, or a value of the wrong type.
        ModuleNotFoundError: a package that these settings need is not installed; all are named at once.
    """

    def __init__(self, convention: str = "default", **settings: Unpack[RougeKeywords]) -> None:
        run, changes = split_run(RunOptions(), settings)
        base = find_convention(convention)
        self._set(base, override(base, base.settings, changes), run, changes)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "_of_few"}
        return state | {"_told": set()}  # what was said does not change what ``datasets`` takes for the same function

    @functools.cached_property
    def _of_few(self) -> FewPairs:
        """The short way, for calls with few pairs; built at the first of them."""
        warn_of_idle(self)
        return FewPairs(self.settings, self.run)

    def _few_columns(self, predictions: Any, references: Any) -> list[list[float]] | None:
        """For each type lists of P, R and F, as ``FewPairs.columns``; warns of the texts."""
        return _warned(self._of_few.columns(predictions, references))

    def _set(
        self, convention: Convention, settings: RougeSettings, run: RunOptions, changes: Mapping[str, Any]
    ) -> None:
        """Take the settings, of which the user has given some."""
        self.settings, self.run = settings, run
        self._convention = convention
        self._names_types = "rouge_types" in changes
        convention_settings = convention.settings
        changed = changed_settings(changes, settings, convention_settings)
        # Not warned of yet: they may be meant for a call with other types, or for a comparison, which draws.
        self._idle = tuple(name for name, _ in idle_settings(settings, convention_settings, changed))
        self._told: set[str] = set()
        check_packages(settings)
        check_engine(run.engine)
        warn_of(unused_stop_words(settings))

    @classmethod
    def of(cls, settings: RougeSettings, run: RunOptions | None = None) -> Rouge:
        """Return the metric of these settings.

        Args:
            settings: all of them.
            run: how the work is done; ``RunOptions()`` if None.

        Raises:
            TypeError: an argument is something else.
            ModuleNotFoundError: a package that they need is not installed.
        """
        if not isinstance(settings, RougeSettings):
            raise TypeError(
                f"settings is {shown_value(settings)}; give RougeSettings, such as Rouge('zh_char').settings."
            )
        if run is not None and not isinstance(run, RunOptions):
            raise TypeError(f"run is {shown_value(run)}; give RunOptions, such as RunOptions(threads=1), or None.")
        rouge = cls.__new__(cls)
        rouge._set(CONVENTIONS["default"], settings, RunOptions() if run is None else run, {})
        rouge._names_types = True
        return rouge

    @classmethod
    def from_signature(cls, signature: str, **given: Any) -> Rouge:
        """Return the metric that a signature was printed by; see ``RougeSettings.from_signature``.

        Args:
            signature: the line.
            **given: settings that a line can name but not hold, such as a callable tokenizer; and ``RunOptions``.

        Raises:
            ValueError: not a signature, or one that needs a setting to be given.
        """
        run, given = split_run(RunOptions(), given)
        return cls.of(RougeSettings.from_signature(signature, **given), run)

    def __repr__(self) -> str:
        return f"Rouge({self._convention.name!r}, signature={write_signature(self.settings)!r})"

    def signature(self) -> str:
        """One line that names every setting able to move a score; put it beside the numbers."""
        return self.settings.signature()

    def options_with(self, changes: Mapping[str, Any]) -> tuple[RougeSettings, RunOptions]:
        """Return the settings of one call and how it runs, checked: this object's, with changes.

        Args:
            changes: fields of ``RougeSettings`` and of ``RunOptions``, by name.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
            ModuleNotFoundError: a package that they need is not installed.
        """
        if not changes:
            warn_of_idle(self)
            return self.settings, self.run
        run, changes = split_run(self.run, changes)
        settings = override(self._convention, self.settings, changes)
        check_packages(settings)
        check_engine(run.engine)
        if "stop_words" in changes:
            warn_of(unused_stop_words(settings))
        changed = changed_settings(changes, settings, self.settings)
        self._warn_of_idle(settings, self._convention.settings, self._idle)
        self._warn_of_idle(settings, self.settings, changed)
        return settings, run

    def _warn_of_idle(self, settings: RougeSettings, before: RougeSettings, names: Iterable[str]) -> None:
        for name, message in idle_settings(settings, before, names):
            if name not in self._told:
                self._told.add(name)
                warn_user(message)

    def compute(self, predictions: Any, references: Any = None, **settings: Unpack[RougeKeywords]) -> dict[str, Any]:
        """Score predictions against references.

        Args:
            predictions: texts; any iterable of strings.
            references: for each prediction a text, or for each a list of texts.
            **settings: fields of ``RougeSettings`` and of ``RunOptions``, for this call.

        Returns:
            A flat dict of plain floats: for each type the mean F-measure (``"rouge1"``); with ``output="all"`` also
            ``"rouge1_precision"`` and ``"rouge1_recall"``; with ``confidence`` the bounds ``"rouge1_low"`` and
            ``"rouge1_high"``. With ``use_aggregator=False`` each value is a list, one float a sample, in input order.

        Raises:
            TypeError: a row is no text (the row is named), or a setting is unknown.
            ValueError: no rows, unequal numbers of them, a row without reference, a bad value.
        """
        if references is None:
            from polyrouge.training.generated_texts import refuse_eval_prediction

            refuse_eval_prediction(predictions, "compute")
        rules = self.settings.result_rules
        if not settings and rules.aggregate != "micro" and rules.interval == "percentile":
            columns = self._few_columns(predictions, references)
            if columns is not None:
                if rules.confidence is not None:
                    warn_of(mean_warnings(len(columns[0]), 0, rules))
                return result_of_columns(columns, rules)
        call_settings, run = self.options_with(settings)
        return compute_result(check_inputs(predictions, references), call_settings, run)

    def score(
        self, predictions: Any, references: Any, *, best_reference: bool = False, **settings: Unpack[RougeKeywords]
    ) -> dict[str, NDArray]:
        """Score each sample, as columns.

        Args:
            predictions: as for ``compute``.
            references: as for ``compute``.
            best_reference: add ``"rouge1_reference"``: which reference gave each score.
            **settings: fields of ``RougeSettings`` and of ``RunOptions``, for this call.

        Returns:
            float64[n_samples] for each of ``"rouge1"`` (F-measure), ``"rouge1_precision"``, ``"rouge1_recall"`` and so
            on, times ``scale``; NaN where ``empty="skip"`` leaves the sample out. int64[n_samples] for
            ``"rouge1_reference"``, -1 where left out.

        Raises:
            ValueError: as ``compute``; or ``best_reference`` under a rule that has no best one.
        """
        if not settings and not best_reference:
            few = _warned(self._of_few.scores(predictions, references))
            if few is not None:
                rules = self.settings.result_rules
                rows = list(few if rules.scale == 1 and rules.round_each is None else scale_scores(few, rules))
                keys = keys_of_types(rules.rouge_types, "all")
                return {key: rows[3 * column + measure] for key, column, measure in keys}
        call_settings, run = self.options_with(settings)
        if best_reference and call_settings.multi_reference not in ("best", "best_recall"):
            raise ValueError(
                f"multi_reference={call_settings.multi_reference!r} has no best reference; use 'best' or 'best_recall'."
            )
        rules = call_settings.result_rules
        samples = score_inputs(check_inputs(predictions, references), call_settings, run)
        of_samples = scale_scores(samples.scores, rules)
        columns: dict[str, NDArray] = {}
        for column, name in enumerate(call_settings.rouge_types):
            for key, measure in result_keys(name, "all"):
                columns[key] = of_samples[:, column, measure]
            if best_reference:
                columns[f"{name}_reference"] = samples.best_reference[:, column]
        return columns

    def count(self, predictions: Any, references: Any, **settings: Unpack[RougeKeywords]) -> Counts:
        """Count hits and totals of each (prediction, reference) pair: what the scores are made of.

        Args:
            predictions: as for ``compute``.
            references: as for ``compute``.
            **settings: fields of ``RougeSettings`` and of ``RunOptions``, for this call.

        Returns:
            ``Counts``: float64[n_pairs, n_types, 3] of hits, prediction total and reference total, and which pairs
            belong to which sample.

        Raises:
            TypeError: as ``compute``.
            ValueError: as ``compute``.
        """
        few = None if settings else self._of_few.counts(predictions, references)
        if few is not None:
            pairs, few_notes = few
            warn_of(messages_of(few_notes) if few_notes is not None else ())
            return pairs if isinstance(pairs, Counts) else pair_counts_of(pairs)
        call_settings, run = self.options_with(settings)
        notes = InputNotes(call_settings.text_rules)
        counts = count_pairs(check_inputs(predictions, references), call_settings, run, notes)
        warn_of(messages_of(notes))
        return counts

    def score_batch(
        self,
        batch: Mapping[str, Any],
        predictions: str = "prediction",
        references: str = "references",
        prefix: str = "",
        **settings: Unpack[RougeKeywords],
    ) -> dict[str, list[float]]:
        """Score a batch of a data set: ``ds.map(rouge.score_batch, batched=True)`` adds the columns.

        Args:
            batch: the columns of some rows, by name.
            predictions: name of the column with the predictions (in ``map``, by ``fn_kwargs``).
            references: name of the column with a text, or a list of texts, in each row.
            prefix: put before the names of the new columns.
            **settings: fields of ``RougeSettings`` and of ``RunOptions``, for this call.

        Returns:
            For each type a list of floats, times ``scale``: the F-measure; with ``output="all"`` also precision and
            recall. NaN where ``empty="skip"`` leaves a row out.

        Raises:
            TypeError: one row was given (``batched=True`` is missing), or a row is no text.
            KeyError: there is no such column; the message names those that there are.
        """
        columns = []
        for role, name in (("predictions", predictions), ("references", references)):
            if not isinstance(name, str):
                raise TypeError(f"{role} is {shown_value(name)}; give the name of a column.")
        if not isinstance(prefix, str):
            raise TypeError(f"prefix is {shown_value(prefix)}; give a text.")
        if not hasattr(batch, "keys") and not hasattr(batch, "columns"):
            raise TypeError(f"batch is {shown_value(batch)}; give the columns of some rows, by name.")
        if predictions == references:
            raise ValueError(f"The column {predictions!r} is named for predictions and for references.")
        for name in (predictions, references):
            if name not in batch:
                raise KeyError(f"There is no column {name!r}; name one of {', '.join(map(repr, batch))} by fn_kwargs.")
            if name == predictions and isinstance(batch[name], str):
                raise TypeError(
                    "score_batch got one row; it scores many at once: ds.map(rouge.score_batch, batched=True)."
                )
            columns.append(column_rows(batch[name], name))
        if "confidence" in settings:  # a list has no interval; a bad level is refused all the same
            checked_number("confidence", settings["confidence"], CONFIDENCE)
        few = None if settings else self._few_columns(*columns)
        if few is not None:
            rules = self.settings.result_rules._replace(use_aggregator=False, confidence=None)
            result = result_of_columns(few, rules)
        else:
            call_settings, run = self.options_with({**settings, "use_aggregator": False, "confidence": None})
            if any(columns):
                result = compute_result(check_inputs(*columns), call_settings, run)
            else:
                result = result_of(np.empty((0, len(call_settings.rouge_types), 3)), call_settings.result_rules)
        return {prefix + key: values for key, values in result.items()}

    def explain(self, prediction: str, reference: Any, **settings: Unpack[RougeKeywords]) -> Explanation:
        """Say what a prediction shares with its reference: the hits of each type, and where they stand.

        Args:
            prediction: one text.
            reference: a text, or the list of reference texts.
            **settings: fields of ``RougeSettings`` and of ``RunOptions``, for this call.

        Returns:
            The tokens with their character offsets in the texts as they were given, and for each type the pairs of
            units that are the hits; ``explanation["rouge1"].prediction_spans`` is what to colour. Notebooks show it in
            colour. Of rougeS without a gap it lists every shared pair of tokens: their number grows with the square of
            the length.

        Raises:
            TypeError: an argument is no text, or a setting is unknown.
            ValueError: no reference, or a bad value.
        """
        from polyrouge.explaining.explanation import explain_sample

        call_settings, run = self.options_with(settings)
        notes = InputNotes(call_settings.text_rules)
        explanation = explain_sample(check_inputs([prediction], [reference]), call_settings, run, notes)
        warn_of(messages_of(notes))
        return explanation

    def for_trainer(self, processing_class: Any = None, **options: Unpack[TrainerKeywords]) -> TrainerMetrics:
        """Return a ``compute_metrics`` for the Trainer and Seq2SeqTrainer of Transformers.

        Args:
            processing_class: the tokenizer, or a processor that has one.
            **options: options of ``polyrouge.training.TrainerMetrics`` (``num_samples``, ``num_return_sequences``,
                ``sequences``, ``strip_prompt``, ``causal``, ``postprocess``, ``digits``, ``gen_len``, ``save_samples``,
                ``first_process_only``), and fields of ``RougeSettings`` and ``RunOptions``.

        Returns:
            A callable from an ``EvalPrediction``, or the pair (predictions, labels), to a flat dict of floats: give it
            to the Trainer as ``compute_metrics``.

        Raises:
            TypeError: an option is unknown, and the message names the nearest; or the first argument can't decode.
            ValueError: a value is not allowed.
        """
        from polyrouge.training.generated_texts import refuse_eval_prediction
        from polyrouge.training.trainer import TRAINER_OPTIONS, TrainerMetrics

        refuse_eval_prediction(processing_class, "for_trainer")
        trainer_options, settings = self._split(options, TRAINER_OPTIONS)
        return TrainerMetrics(*self.options_with(settings), processing_class, **trainer_options)

    def as_reward(self, **options: Any) -> RougeReward:
        """Return a reward function of the shape that TRL's GRPOTrainer calls.

        Args:
            **options: options of ``polyrouge.training.RougeReward`` (``references``, ``weights``, ``measure``,
                ``postprocess``, ``name``), and fields of ``RougeSettings``. The reward is the mean of the types, or
                their sum by ``weights``; rougeL alone where neither ``weights`` nor ``rouge_types`` is given, here or
                to ``Rouge``.

        Returns:
            A callable from completions and columns to a float, or None, for each completion.

        Examples:
            >>> reward = Rouge("zh_char").as_reward(references="answer")
            >>> reward(prompts=["概括："], completions=["今天天气很好"], answer=["今天天气不错"])
            [0.6666666666666666]

        Raises:
            TypeError: an option is unknown; the message names the nearest.
            ValueError: a value is not allowed.
        """
        from polyrouge.training.rewards import REWARD_OPTIONS, RougeReward

        reward_options, settings = self._split(options, REWARD_OPTIONS)
        weights = reward_options.get("weights")
        settings["weights"] = None  # those of the settings are for a key of its own
        if weights is None:
            settings.setdefault("rouge_types", self.settings.rouge_types if self._names_types else ["rougeL"])
        elif isinstance(weights, Mapping):
            settings.setdefault("rouge_types", list(weights))
        return RougeReward(*self.options_with(settings), **reward_options)

    def _split(
        self, options: Mapping[str, Any], option_names: tuple[str, ...]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Split options into the caller's own and settings."""
        for name in options:
            if name not in option_names and not is_keyword(name):
                raise TypeError(str(unknown_setting(name, "option", option_names)))
        settings = dict(options)
        return {name: settings.pop(name) for name in option_names if name in settings}, settings


def rouge(
    prediction: str, reference: Any, convention: str = "default", **settings: Unpack[RougeKeywords]
) -> dict[str, Any]:
    """Score one prediction: ``Rouge(convention, **settings).compute`` of one row.

    Examples:
        >>> rouge("the cat sat", "the cat ran")["rouge1"]
        0.6666666666666666

    Args:
        prediction: a text.
        reference: a text, or the list of reference texts.
        convention: as for ``Rouge``.
        **settings: fields of ``RougeSettings`` and of ``RunOptions``.

    Returns:
        As ``Rouge.compute``.

    Raises:
        TypeError: an argument is no text; for several texts, see ``Rouge.compute``.
        ValueError: as ``Rouge``.
    """
    if not isinstance(prediction, str):
        raise TypeError(
            f"prediction is {shown_value(prediction)}; give one text. Many are scored by "
            "polyrouge.Rouge().compute(predictions, references)."
        )
    return Rouge(convention, **settings).compute([prediction], [reference])


def _warned(scored: tuple[Any, InputNotes | None] | None) -> Any:
    """What ``FewPairs`` has scored, after its warnings; None for None."""
    if scored is None:
        return None
    few, notes = scored
    if notes is not None:
        warn_of(messages_of(notes))
    return few


def warn_of_idle(rouge: Rouge, without: Iterable[str] = ()) -> None:
    """Warn, once, of each setting that was given to ``Rouge`` and has no effect, but those ``without``."""
    if rouge._idle:
        names = [name for name in rouge._idle if name not in without]
        rouge._warn_of_idle(rouge.settings, rouge._convention.settings, names)


def metric_in_points(convention: str = "default", settings: Mapping[str, Any] = MappingProxyType({})) -> Rouge:
    """The metric of what people read, by command, page or report: points of 100, unless ``settings`` say a scale."""
    rouge = Rouge(convention, **settings)
    if "scale" not in settings:
        rouge.settings = rouge.settings.replace(scale=point_scale(rouge.settings))
    return rouge


def as_rouge(rouge: Any, *, rouge_types: Sequence[str] | None = None, draws: bool = True) -> Rouge:
    """The metric that a function is given as ``rouge``: itself, that of a convention's name, ``Rouge()`` for None.

    It warns of settings without effect; of ``seed`` and the like only where the function ``draws`` nothing.
    ``rouge_types``: of a function that has types of its own, in place of the metric's.
    """
    if rouge is None or isinstance(rouge, str):
        rouge = Rouge("default" if rouge is None else rouge)
    if not isinstance(rouge, Rouge):
        raise TypeError(
            f"rouge is {shown_value(rouge)}; give a metric, such as Rouge('zh_char'), a convention's name, or None."
        )
    if rouge_types is not None:
        settings, _ = rouge.options_with({"rouge_types": rouge_types, "weights": None})
        rouge = copy.copy(rouge)
        rouge.settings = settings
        return rouge
    warn_of_idle(rouge, without=OF_DRAWS if draws else ())
    return rouge


def score_inputs(texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions) -> Scores:
    """Score checked texts, and warn of what looks wrong in them."""
    samples, notes = score_with_notes(texts, settings, run)
    warn_of(notes)
    return samples


def score_with_notes(texts: Inputs | SystemTexts, settings: RougeSettings, run: RunOptions) -> tuple[Scores, list[str]]:
    """Score checked texts; return what looks wrong in them too."""
    notes = InputNotes(settings.text_rules)
    samples = score_samples(texts, settings, run, notes)
    return samples, list(messages_of(notes))


def compute_result(inputs: Inputs, settings: RougeSettings, run: RunOptions) -> dict[str, Any]:
    """Score checked texts, aggregate the scores, and warn of what looks wrong in both."""
    samples = score_inputs(inputs, settings, run)
    result = result_of(samples.scores, settings.result_rules, samples.totals)
    warn_of(result_warnings(samples.scores, settings.result_rules))
    return result
