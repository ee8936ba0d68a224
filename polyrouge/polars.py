"""ROUGE of polars tables: ``import polyrouge.polars`` adds the namespace ``rouge`` to frames and expressions."""

from typing import Any

import polars as pl

from polyrouge.metric import Rouge

_SCORES = "__polyrouge_scores"


@pl.api.register_expr_namespace("rouge")
class RougeExpressions:
    """``pl.col("prediction").rouge``: scores within an expression.

    Examples:
        >>> import polars as pl, polyrouge.polars
        >>> df = pl.DataFrame({"prediction": ["今天天气很好"], "reference": ["今天天气不错"]})
        >>> scores = pl.col("prediction").rouge.score("reference", rouge_types=["rouge1", "rougeL"])
        >>> df.select(scores)["rouge"].to_list()
        [{'rouge1': 0.6666666666666666, 'rougeL': 0.6666666666666666}]
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def score(self, reference: pl.Expr | str = "reference", *, convention: str = "default", **settings: Any) -> pl.Expr:
        """Return an expression for the scores of each row.

        Args:
            reference: an expression or the name of a column, of texts or of lists of texts.
            convention: see ``Rouge``.
            **settings: fields of ``RougeSettings``; ``output="all"`` adds precision and recall.

        Returns:
            A struct named ``rouge`` with a Float64 field ``rouge1`` and so on, times ``scale``; NaN where
            ``empty="skip"`` leaves a row out.

        Raises:
            TypeError: a setting is unknown; or, when the expression runs, a row is no text, such as a null (the row is
                named, counted from 0).
            ValueError: a value is not allowed.
        """
        rouge = Rouge(convention, **settings)
        schema = dict.fromkeys(rouge.score_batch({"prediction": [], "references": []}), pl.Float64)

        def scores(batch: pl.Series) -> pl.Series:
            columns = {name: batch.struct.field(name) for name in ("prediction", "references")}
            return pl.DataFrame(rouge.score_batch(columns), schema=schema).to_struct("rouge")

        other = pl.col(reference) if isinstance(reference, str) else reference
        both = pl.struct(self._expression.alias("prediction"), other.alias("references"))
        return both.map_batches(scores, return_dtype=pl.Struct(schema)).alias("rouge")


class _Frames:
    """What the namespaces of ``DataFrame`` and ``LazyFrame`` share."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(
        self,
        prediction: str = "prediction",
        reference: str = "reference",
        *,
        convention: str = "default",
        prefix: str = "",
        **settings: Any,
    ) -> Any:
        """Return the table with the scores of each row in new columns.

        Args:
            prediction: name of the column with the predictions.
            reference: name of the column with the references: texts, or lists of texts.
            convention: see ``Rouge``.
            prefix: put before the names of the new columns.
            **settings: fields of ``RougeSettings``; ``output="all"`` adds precision and recall.

        Returns:
            A table of the same kind, with Float64 columns ``rouge1`` and so on behind the others.

        Raises:
            polars.exceptions.ColumnNotFoundError: no such column.
            polars.exceptions.DuplicateError: a column of that name is there already.
            TypeError: a row is no text, such as a null (the row is named, counted from 0); or a setting is unknown.
            ValueError: a value is not allowed.
        """
        scores = RougeExpressions(pl.col(prediction)).score(reference, convention=convention, **settings)
        if prefix:
            scores = scores.name.prefix_fields(prefix)
        return self._frame.with_columns(scores.alias(_SCORES)).unnest(_SCORES)

    def compute(
        self,
        prediction: str = "prediction",
        reference: str = "reference",
        *,
        convention: str = "default",
        **settings: Any,
    ) -> dict[str, Any]:
        """Score two columns: the result of ``Rouge.compute``, with its errors; see ``score`` for the arguments."""
        rouge = Rouge(convention, **settings)
        both = self._frame.lazy().select(prediction, reference).collect()
        return rouge.compute(both[prediction], both[reference])


@pl.api.register_dataframe_namespace("rouge")
class RougeFrame(_Frames):
    """``df.rouge``: scores of columns of a ``DataFrame``."""


@pl.api.register_lazyframe_namespace("rouge")
class RougeLazyFrame(_Frames):
    """``lf.rouge``: scores of columns of a ``LazyFrame``; nothing runs before it is collected, but ``compute``."""
