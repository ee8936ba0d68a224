"""polyrouge: one ROUGE for every language and every published convention."""

from .conventions import CONVENTIONS, Convention
from .errors import RougeWarning
from .explanation import Explanation
from .metric import Rouge
from .scores import PairCounts
from .settings import VERSION, RougeSettings
from .tokenization import TOKENIZERS, TokenizerOptions, register_tokenizer

__version__ = VERSION

__all__ = [
    "CONVENTIONS",
    "TOKENIZERS",
    "Convention",
    "Explanation",
    "PairCounts",
    "Rouge",
    "RougeSettings",
    "RougeWarning",
    "TokenizerOptions",
    "__version__",
    "register_tokenizer",
]
