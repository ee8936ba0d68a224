"""A convention: settings with a name, and what is known of the tool that they reproduce."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.texts.tokenizers import is_users_tokenizer


@dataclass(frozen=True)
class Convention:
    """One way of computing ROUGE that numbers are published with.

    Attributes:
        name: as given to ``Rouge`` and ``evaluate.load``.
        settings: the settings behind the name.
        reproduces: the tool and version whose numbers these are, or what the convention is for.
        used_by: who publishes with it.
        unusual: what it does that Lin (2004) or rouge_score does not.
        fails_on: what the tool itself raises an error for; ``on_error="raise"`` does the same.
        own_tokenizer_replaces_text_rules: a user's own tokenizer also replaces lower-casing, the dropping
            of punctuation and stemming, as in rouge_score.
    """

    name: str
    settings: RougeSettings
    reproduces: str
    used_by: str = ""
    unusual: str = ""
    fails_on: str = ""
    own_tokenizer_replaces_text_rules: bool = False

    def override(self, settings: RougeSettings, changes: Mapping[str, Any]) -> RougeSettings:
        """Return ``settings`` with changes, as the convention's tool would understand them.

        Args:
            settings: of the convention, or made from them.
            changes: fields of ``RougeSettings``, by name.

        Raises:
            TypeError: a name is no setting; the message names the nearest.
            ValueError: a value is not allowed.
        """
        implied: dict[str, Any] = {}
        if self.own_tokenizer_replaces_text_rules and is_users_tokenizer(changes.get("tokenizer")):
            implied = {"lowercase": False, "punctuation": "keep", "use_stemmer": False}
        return settings.replace(**{**implied, **changes})
