"""``compute_metrics`` for the Trainer and Seq2SeqTrainer of Transformers, in one line.

>>> trainer = Seq2SeqTrainer(..., compute_metrics=Rouge("zh_char").for_trainer(tokenizer))  # doctest: +SKIP
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from polyrouge.documents.notes import messages_of
from polyrouge.errors import own_name, unknown_value, warn_of, warn_user
from polyrouge.inputs import check_inputs
from polyrouge.scoring.sample_scores import score_samples
from polyrouge.settings.allowed_values import COUNT, DIGITS, checked_flag, checked_function, checked_number
from polyrouge.settings.keywords import RougeKeywords
from polyrouge.settings.rouge_settings import RougeSettings, RunOptions
from polyrouge.settings.signature import write_signature
from polyrouge.training.generated_texts import GeneratedTexts, TextReader, read_evaluation
from polyrouge.training.process_group import from_first_process, is_first_process, threads_of_process
from polyrouge.training.running_evaluation import SEQUENCE_RULES, RunningEvaluation, combine_sequences
from polyrouge.training.token_rows import main_output, teacher_forced_ids


class TrainerMetrics:
    """A callable for the ``compute_metrics`` of Trainer and Seq2SeqTrainer; ``Rouge.for_trainer`` makes it.

    It holds no open file and no lock, so every process may run it, and it can be pickled. With
    ``batch_eval_metrics=True`` it keeps a few numbers for each sample until the result.

    Args:
        settings: of the scores.
        run: how they are made. ``threads=0`` means this process's share of the cores.
        processing_class: the tokenizer, or a processor that has one; None if the predictions and the labels of the
            evaluation are texts.
        num_samples: how many samples the evaluation set has. Evaluation in several processes pads its last batch with
            repeated samples, and Seq2SeqTrainer keeps them; this cuts them off. Or a list: one number for each
            evaluation set, in the order of the evaluations.
        num_return_sequences: how many sequences are generated for a sample.
        sequences: which of them count: ``"first"``; ``"best"``, for each type the one with the highest F-measure;
            ``"mean"``.
        strip_prompt: how to remove the prompt from the output of a decoder-only model. ``"inputs"``: each sequence
            begins with its inputs (``include_for_metrics=["inputs"]``). False: not at all. ``"auto"``: if there are
            inputs, from each sequence that begins with them. A warning says so if others do not; they are scored as
            they are.
        causal: for logits. True: they are for the next token (decoder-only models). False: they are where the labels
            are (encoder-decoder models). None: False if the model also gave an encoder's hidden state, else True.
        postprocess: called with the decoded predictions and references (two lists of texts); returns both, with as
            many texts in the same order.
        digits: round the results to so many decimals, 0 to 15; None does not round.
        gen_len: add ``"gen_len"``, the mean number of tokens generated, without padding.
        save_samples: a folder: in the first process, each evaluation writes its texts and scores there, as
            ``evaluation-000001.jsonl`` and so on, one JSON object a sample.
        first_process_only: score on the first process and send the result to the others.

    Raises:
        ValueError: a value that is not allowed, or ``use_aggregator=False``: a Trainer logs numbers.
        TypeError: a value of the wrong type.
    """

    def __init__(
        self,
        settings: RougeSettings,
        run: RunOptions,
        processing_class: Any = None,
        *,
        num_samples: int | Sequence[int] | None = None,
        num_return_sequences: int = 1,
        sequences: str = "first",
        strip_prompt: str | bool = "auto",
        causal: bool | None = None,
        postprocess: Callable[[list[str], list[str]], tuple[list[str], list[str]]] | None = None,
        digits: int | None = None,
        gen_len: bool = True,
        save_samples: str | os.PathLike[str] | None = None,
        first_process_only: bool = False,
    ) -> None:
        if not settings.use_aggregator:
            raise ValueError(
                "use_aggregator=False gives lists, and a Trainer logs numbers; save_samples keeps each sample's scores."
            )
        rule = own_name(sequences, SEQUENCE_RULES, {"best": "max", "mean": "avg average"})
        if rule is None:
            raise unknown_value(sequences, SEQUENCE_RULES, "sequences")
        sequences = rule
        if settings.aggregate == "micro" and sequences != "first":
            raise ValueError(
                f"aggregate='micro' adds counts up, which sequences={sequences!r} can't choose from; use 'first'."
            )
        self._num_return_sequences = checked_number("num_return_sequences", num_return_sequences, COUNT)
        if causal is not None:
            checked_flag("causal", causal)
        if save_samples is not None:
            if not isinstance(save_samples, (str, os.PathLike)):
                raise TypeError(f"save_samples is {save_samples!r}; give the path of a folder.")
            if os.path.isfile(save_samples):
                raise ValueError(f"save_samples is the file {os.fspath(save_samples)!r}; give a folder.")
        self.settings, self.run = settings, run
        checked_function("postprocess", postprocess)
        self._reader = TextReader(processing_class, self._num_return_sequences, strip_prompt, causal, postprocess)
        self._sizes = _checked_sizes(num_samples)
        self._evaluations = 0
        self._sequences = sequences
        self._digits = checked_number("digits", digits, DIGITS)
        self._gen_len = checked_flag("gen_len", gen_len)
        self._save_samples = save_samples
        self._first_process_only = checked_flag("first_process_only", first_process_only)
        self._running: RunningEvaluation | None = None

    def reset(self) -> None:
        """Forget the batches so far. Needed only where no Trainer runs the evaluation."""
        if self._running is not None:
            self._running.drop_samples()
        self._running = None

    def __repr__(self) -> str:
        return f"TrainerMetrics(signature={write_signature(self.settings)!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_running": None}

    def __call__(self, prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Score an evaluation, or one batch of it.

        Args:
            prediction: an EvalPrediction, read by its attributes, or the pair (predictions, labels). Rows as
                run_seq2seq_qa.py makes them (``prediction_text``, ``answers``) are texts, matched by their ids.
            compute_result: None if this is the whole evaluation. With ``batch_eval_metrics=True`` the Trainer gives
                False, and True with the last batch.

        Returns:
            A flat dict of plain floats: what ``Rouge.compute`` gives, and ``"gen_len"``. Empty for a batch that is not
            the last.

        Raises:
            ValueError: the predictions or labels have a shape that can't be scored; the message names the argument of
                the Trainer to set.
            TypeError: not an EvalPrediction, or one without tokens and texts.
        """
        if compute_result is None or (self._running is not None and self._running.is_over()):
            self._drop_unfinished()
        try:
            return self._add(prediction, last=compute_result is not False)
        except BaseException:
            self.reset()
            raise

    def preprocess_logits_for_metrics(self, logits: Any, labels: Any) -> Any:
        """Give this to the argument of that name of a Trainer that does not generate; see the function of that name."""
        return preprocess_logits_for_metrics(logits, labels, causal=self._reader.causal)

    def _drop_unfinished(self) -> None:
        if self._running is not None and self._running.n_samples:
            n = self._running.n_samples
            warn_user(f"An evaluation ended before its result; the scores of its {n} samples are dropped.")
            self._evaluations = 0  # a Trainer begins with its first evaluation set again
        self.reset()

    def _add(self, prediction: Any, last: bool) -> dict[str, float]:
        """Score one batch, or the whole evaluation; on the last batch, end the evaluation."""
        evaluation = read_evaluation(prediction)
        inputs = self._reader.gathered_inputs(evaluation)
        if self._running is None:
            folder = self._save_samples if is_first_process() else None
            prompts = self._reader.prompt_stripper()
            self._running = RunningEvaluation(
                self.settings, self.run, prompts, remembers_references=bool(self._sizes), folder=folder
            )
        running = self._running

        def score() -> dict[str, float]:
            self._score(self._reader.read(evaluation, inputs, running.prompts), running)
            return self._result(running) if last else {}

        result = {}
        if self._first_process_only and last:
            result = from_first_process(score)
        elif not self._first_process_only or is_first_process():
            result = score()
        if last:
            running.save_samples()
            self._running = None
            self._evaluations += 1
        return result

    def _score(self, texts: GeneratedTexts, running: RunningEvaluation) -> None:
        """Add the scores of these texts to those of the evaluation, and to the file."""
        k = self._num_return_sequences
        size, start = self._size(), running.n_samples
        batch = texts if size is None else texts.first(max(0, size - start), k)
        if batch.references:
            run = replace(self.run, threads=self.run.threads or threads_of_process())
            counted = 1 if self._sequences == "first" else k
            repeated = [reference for reference in batch.references for _ in range(counted)]
            inputs = check_inputs(batch.predictions[:: k // counted], repeated, first_row=start * counted)
            scored = score_samples(inputs, self.settings, run, running.notes)
            scores = combine_sequences(scored.scores, counted, self._sequences)
            running.add_texts(batch, scored._replace(scores=scores), counts_tokens=self._gen_len)
        unknown = running.first_unknown(texts.references[len(batch.references) :])
        if unknown is not None:
            raise ValueError(
                f"num_samples={size}, but what comes after does not repeat samples before: the reference of the sample "
                f"{running.n_samples + unknown + 1} is new. Give the number of samples of the evaluation set; for "
                "several sets a list, in the order of their evaluation."
            )

    def _size(self) -> int | None:
        """Return the number of samples of this evaluation set, if it was given."""
        return self._sizes[self._evaluations % len(self._sizes)] if self._sizes else None

    def _result(self, running: RunningEvaluation) -> dict[str, float]:
        """Return the result of the evaluation."""
        size = self._size()
        if size is not None and running.n_samples < size:
            warn_user(f"num_samples={size}, but the evaluation had only {running.n_samples} samples.")
        warn_of(messages_of(running.notes))
        result = running.result()
        warn_of(running.warnings())
        return result if self._digits is None else {key: round(value, self._digits) for key, value in result.items()}


class TrainerKeywords(RougeKeywords, total=False):
    """What ``Rouge.for_trainer`` takes by keyword, for editors and type checkers: options of ``TrainerMetrics`` too."""

    num_samples: int | Sequence[int] | None
    num_return_sequences: int
    sequences: str
    strip_prompt: str | bool
    causal: bool | None
    postprocess: Callable[[list[str], list[str]], tuple[list[str], list[str]]] | None
    digits: int | None
    gen_len: bool
    save_samples: str | os.PathLike[str] | None
    first_process_only: bool


TRAINER_OPTIONS = tuple(TrainerMetrics.__init__.__kwdefaults__ or ())


def preprocess_logits_for_metrics(logits: Any, labels: Any, *, causal: bool | None = None) -> Any:
    """Keep the most probable tokens only: for the argument of that name of a Trainer that does not generate.

    Logits of [samples, tokens, vocabulary] become ids of [samples, tokens] before they are gathered, which takes
    thousands of times less memory. These are scores under teacher forcing: each token is chosen given the reference
    so far.

    Args:
        logits: what the model gave: logits, or a tuple that holds them.
        labels: ids [samples, tokens], or None.
        causal: as for ``TrainerMetrics``.

    Returns:
        Ids in the places of the labels; -100 where the labels have it.

    Raises:
        ValueError: logits and labels differ in width.
    """
    main, looks_causal = main_output(logits)
    ids = main.argmax(-1)
    return ids if labels is None else teacher_forced_ids(ids, labels, looks_causal if causal is None else causal)


def _checked_sizes(num_samples: Any) -> list[int]:
    """Return the number of samples of each evaluation set; none if they are not known."""
    if num_samples is None:
        return []
    is_several = isinstance(num_samples, Iterable) and not isinstance(num_samples, (str, bytes, Mapping, Set))
    return [checked_number("num_samples", size, COUNT) for size in (num_samples if is_several else [num_samples])]
