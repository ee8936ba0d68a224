"""Messages of the package, in the spelling of the command line."""

import pytest

from polyrouge.cli.command_running import in_command_words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("sentence_split='auto' cuts them", "--sentence-split auto cuts them"),
        ('set sentence_split="zh".', "set --sentence-split zh."),
        ("sentence_split='<q>'; more", "--sentence-split '<q>'; more"),
        ("sentence_split=' ' cuts", "--sentence-split ' ' cuts"),
        ("max_words=5, beta=1.5. Then", "--max-words 5, --beta 1.5. Then"),
        ("beta=1e-08 and scale=100.0", "--beta 1e-08 and --scale 100.0"),
        ("use_stemmer=True or jieba_hmm=False", "--use-stemmer or --no-jieba-hmm"),
        ("lowercase=False, normalize=None", "--lowercase false, --normalize none"),
        ("rouge_types=['rouge1', 'rougeL']", "--rouge-types rouge1,rougeL"),
        ("weights=(0.5, 0.5)", "--weights 0.5,0.5"),
        ("the tables: word_tables=...)", "the tables: --word-tables ...)"),
        ("test='randomization' is exact", "--test randomization is exact"),
        ("weight is 50.0; it must be", "--weight is 50.0; it must be"),
        ("jieba_dict: there is no file", "--jieba-dict: there is no file"),
        (
            "Give one of max_words, max_bytes and max_characters.",
            "Give one of --max-words, --max-bytes and --max-characters.",
        ),
        ("Unknown sentence_split 'zhh'", "Unknown --sentence-split 'zhh'"),
        # what is no setting
        ("the weight is 5, the scale too", "the weight is 5, the scale too"),
        ("use_aggregator=False gives lists", "use_aggregator=False gives lists"),
        ("a file of max_words.jsonl in x/max_words", "a file of max_words.jsonl in x/max_words"),
        ("the column 'max_words' and 'beta=5'", "the column 'max_words' and 'beta=5'"),
        ("alphabeta=5 and my_beta=5", "alphabeta=5 and my_beta=5"),
        ("num_samples=5, first_process_only", "num_samples=5, first_process_only"),
    ],
)
def test_settings_are_options(message, expected):
    assert in_command_words(message) == expected
