"""ROUGE of pandas tables: ``import polyrouge.pandas`` gives every ``DataFrame`` the accessor ``rouge``."""

from typing import Any

import pandas as pd

from polyrouge.comparing.comparison import Comparison
from polyrouge.comparing.systems import compare_systems
from polyrouge.explaining.explanation import Explanation
from polyrouge.metric import Rouge


@pd.api.extensions.register_dataframe_accessor("rouge")
class RougeAccessor:
    """``df.rouge``: scores of columns of a table. References are a column of texts or of lists of texts.

    Examples:
        >>> import pandas as pd, polyrouge.pandas
        >>> df = pd.DataFrame({"prediction": ["今天天气很好"], "reference": ["今天天气不错"]}, index=["a"])
        >>> df.rouge.compute("prediction", "reference", rouge_types=["rouge1", "rougeL"])
        {'rouge1': 0.6666666666666666, 'rougeL': 0.6666666666666666}
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def score(
        self,
        prediction: str = "prediction",
        reference: str = "reference",
        *,
        convention: str = "default",
        prefix: str = "",
        **settings: Any,
    ) -> pd.DataFrame:
        """Return the table with the scores of each row in new columns.

        Args:
            prediction: name of the column with the predictions.
            reference: name of the column with the references.
            convention: see ``Rouge``.
            prefix: put before the names of the new columns.
            **settings: fields of ``RougeSettings``; ``output="all"`` adds precision and recall.

        Returns:
            A new table with the index and columns of this one, and float64 columns ``rouge1`` and so on, times
            ``scale``; NaN where ``empty="skip"`` leaves a row out.

        Raises:
            KeyError: no such column.
            TypeError: a row is no text, such as a missing value (the row is named, counted from 0); or a setting is
                unknown.
            ValueError: a column of that name is there already, or a value is not allowed.
        """
        rouge = Rouge(convention, **settings)
        columns = dict(zip((prediction, reference), self._columns(prediction, reference), strict=True))
        scores = rouge.score_batch(columns, prediction, reference, prefix)
        for name in scores:
            if name in self._frame.columns:
                raise ValueError(
                    f"The table has a column {name!r} already; give a prefix for the new ones, or drop it."
                )
        index = self._frame.index
        return self._frame.assign(**{name: pd.Series(column, index, float) for name, column in scores.items()})

    def compute(
        self,
        prediction: str = "prediction",
        reference: str = "reference",
        *,
        convention: str = "default",
        **settings: Any,
    ) -> dict[str, Any]:
        """Score two columns: the result of ``Rouge.compute``; see ``score`` for the arguments and errors."""
        rouge = Rouge(convention, **settings)
        return rouge.compute(*self._columns(prediction, reference))

    def explain(
        self,
        row: Any,
        prediction: str = "prediction",
        reference: str = "reference",
        *,
        convention: str = "default",
        **settings: Any,
    ) -> Explanation:
        """Say what one prediction shares with its reference; see ``Rouge.explain``.

        Args:
            row: its label in the index.
            prediction: as for ``score``.
            reference: as for ``score``.
            convention: as for ``score``.
            **settings: as for ``score``.
        """
        rouge = Rouge(convention, **settings)
        return rouge.explain(*(column.at[row] for column in self._columns(prediction, reference)))

    def compare(self, *predictions: str, reference: str = "reference", **options: Any) -> Comparison:
        """Compare systems whose predictions are columns: ``compare_systems``, with its errors.

        Args:
            *predictions: names of two columns or more.
            reference: name of the column with the references.
            **options: of ``polyrouge.compare_systems``, such as ``rouge``.
        """
        *systems, references = self._columns(*predictions, reference)
        return compare_systems(dict(zip(predictions, systems, strict=True)), references, **options)

    def _columns(self, *names: str) -> list[pd.Series]:
        for name in names:
            if name not in self._frame.columns:
                known = ", ".join(map(repr, self._frame.columns))
                raise KeyError(f"There is no column {name!r}; name one of {known}.")
        return [self._frame[name] for name in names]
