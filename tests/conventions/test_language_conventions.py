"""Conventions for languages, each against the script that it reproduces, made again here on the real packages."""

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import shared_data
from language_packages import needs, train_bpe, train_pkuseg, train_wordpiece
from rouge_score import rouge_scorer
from tool_texts import Pair, random_pairs

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, RougeSettings
from polyrouge.texts.sentences import pieces_at_marks
from polyrouge.texts.tokenizers import word_test

pytestmark = [pytest.mark.languages, pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning")]

_PIECES = (
    *("今日は", "良い天気", "です", "ね。", "「はい。」と", "東京都", "カタカナ", "ｶﾀｶﾅ", "ー", "〜"),
    *("令和６年", "㈱", "々", "서울은", "대한민국의", "수도이다.", "학교에", "갔다", "ㅋㅋ", "한"),
    *("漢字", "3시", "뭐?!", "กรุงเทพ", "เป็นเมืองหลวง", "ของประเทศไทย", "ๆ", "๒๕๖๗", "น้ำ", "ฯลฯ", "Hà"),
    *("Nội", "là", "thủ đô", "của", "Việt Nam.", "TP.", "đ", "ភ្នំពេញ", "ជារាជធានី", "។", "ວຽງຈັນ"),
    *("ເປັນ", "မြန်မာ", "။", "हिन्दी", "है।", "اللغة", "العربية؟", "עברית", "বাংলা।", "Running", "the"),
    *("RUNS", "don't", "U.S.", "3.14", "12%", "a_b", "x@y.org", "http://a.b/c?d=1", "<|endoftext|>"),
    *("[MASK]", "😀", "👨\u200d👩\u200d👧", "🇯🇵", "☀️", "✂", "№", "ﷺ", "é", "é", "İ", "ß", "ＡＢＣ"),
    *("１２", "\u200b", "\u3000", "\xa0", "\n", " \n ", "\t", "  ", "", ".", "。", "...", "……", "!?"),
    *("Ġ", "##", "▁", "_", "«", "»", "\ufeff", "\x85", "\u2028", "$1,000"),
)  # fmt: skip
_BLANKS = ("", " ", "\n", "\u3000", "。", "...", "😀", "\u200b", " a ", "\ta")


def real_pairs(n: int) -> list[Pair]:
    """Rows in other languages than English, those that are not Chinese first; long texts cut."""
    names = ("multilingual", "zh_short", "en_short") if shared_data.SHARED.is_dir() else ()
    rows = [row for name in names for row in shared_data.read_rows("data", f"{name}.jsonl")]
    return [(row["prediction"][:500], row["references"][0][:500]) for row in rows[:n]]


THREE, ALL_FOUR = ["rouge1", "rouge2", "rougeL"], ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIRS = [*random_pairs(500, 19, _PIECES, _BLANKS), *real_pairs(500)]
PREDICTIONS, REFERENCES = map(list, zip(*PAIRS, strict=True))


class Scripted:
    """A tokenizer as rouge_score takes it."""

    def __init__(self, tokenize):
        self.tokenize = tokenize


def scorer_of(types: list[str], tokenize) -> rouge_scorer.RougeScorer:
    return rouge_scorer.RougeScorer(types, tokenizer=Scripted(tokenize))


def check(name: str, scorer, pairs: list[Pair] = PAIRS, **settings) -> None:
    """Precision, recall and F of each type are equal to the last bit, in both engines."""
    rouge = Rouge(name, scale=1, round_result=None, **settings)
    types = rouge.settings.rouge_types
    theirs = [scorer.score(reference, prediction) for prediction, reference in pairs]
    expected = np.array([[value for name in types for value in scores[name]] for scores in theirs])
    for engine in ("plain", "compiled"):
        columns = rouge.score(*map(list, zip(*pairs, strict=True)), engine=engine)
        ours = np.stack([columns[f"{each}{part}"] for each in types for part in ("_precision", "_recall", "")], axis=1)
        wrong = np.flatnonzero((ours != expected).any(axis=1))
        assert len(wrong) == 0, (engine, len(wrong), pairs[wrong[0]], expected[wrong[0]], ours[wrong[0]])
    assert 0 < expected.mean() < 1


# Japanese


@cache
def harness_tokens():
    """As the Japanese harness: emoji out, neologdn, blanks made one, MeCab's words."""
    emoji, neologdn = import_module("emoji"), import_module("neologdn")
    tagger = import_module("fugashi").Tagger("-Owakati")
    more_emoji = re.compile(
        "[\U0001f600-\U0001f64f\U0001f300-\U0001f5ff\U0001f680-\U0001f6ff\U0001f1e0-\U0001f1ff\U00002702-\U000027b0]+"
    )

    def tokenize(text):
        text = more_emoji.sub("", "".join("" if emoji.is_emoji(each) else each for each in text))
        return tagger.parse(" ".join(neologdn.normalize(text).split())).split()

    return tokenize


def mecab_morphemes():
    return import_module("mecab").MeCab().morphs


def sacrebleu_words(name: str):
    module = import_module(f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}")
    tokenizer = getattr(module, f"Tokenizer{_SACREBLEU[name]}")()
    return lambda text: tokenizer(text).split()


_SACREBLEU = {"13a": "13a", "intl": "V14International", "zh": "Zh", "char": "Char", "ja-mecab": "JaMecab"}
if find_spec("mecab_ko") is not None:  # in an environment of its own, which nox -f .ci/noxfile.py -s extras makes
    _SACREBLEU["ko-mecab"] = "KoMecab"


@pytest.mark.parametrize(
    ("name", "settings", "packages", "types", "make"),
    [
        ("stability_ja", {}, "fugashi unidic-lite neologdn emoji", ["rouge2"], harness_tokens),
        ("ko_mecab_rouge_score", {}, "python-mecab-ko", THREE, mecab_morphemes),
        ("helm_xlsum", {}, "pyonmttok", ["rougeL"], lambda: helm_tokens(thai=False)),
        ("helm_xlsum", {"tokenizer": "helm_thai"}, "pythainlp", ["rougeL"], lambda: helm_tokens(thai=True)),
        *(
            ("sacrebleu_ja", {"tokenizer": f"sacrebleu_{each}"}, "", ALL_FOUR, lambda each=each: sacrebleu_words(each))
            for each in _SACREBLEU
        ),
    ],
)
def test_scores_of_a_script(name, settings, packages, types, make):
    tokenizer = settings.get("tokenizer", CONVENTIONS[name].settings.tokenizer)
    needs(*packages.split(), *TOKENIZERS[tokenizer].libraries)
    check(name, scorer_of(types, make()), **settings)


def test_korouge():
    needs("korouge-score")
    check("korouge", import_module("korouge_score.rouge_scorer").RougeScorer(ALL_FOUR))


# Subwords


def super_ni_tokens(folder: Path):
    needs("tokenizers", "transformers")
    fast = import_module("transformers").PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    return lambda text: [token.lstrip("Ġ") for token in fast.tokenize(text)]


def test_super_ni(tmp_path):
    folder = train_bpe(tmp_path)
    check("super_ni", scorer_of(["rougeL"], super_ni_tokens(folder)), subword_model=str(folder))


def test_the_number_of_super_naturalinstructions():
    """The best reference by sample, the mean times 100, four digits."""
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
    check("super_ni_en", scorer)
    references = [[reference, PAIRS[row - 1][0]] for row, reference in enumerate(REFERENCES)]
    best = [
        max(scorer.score(prediction=prediction, target=text)["rougeL"].fmeasure for text in row)
        for prediction, row in zip(PREDICTIONS, references, strict=True)
    ]
    expected = {"rougeL": round(100.0 * sum(best) / len(PAIRS), 4)}
    assert Rouge("super_ni_en").compute(PREDICTIONS, references) == expected


def test_mbert_rouge(tmp_path):
    needs("tokenizers", "transformers")
    bert = import_module("transformers").BertTokenizer.from_pretrained(str(train_wordpiece(tmp_path)))
    bert.save_pretrained(str(tmp_path / "saved"))
    check("mbert_rouge", scorer_of(THREE, bert.tokenize), subword_model=str(tmp_path / "saved"))


# HELM


def helm_tokens(thai: bool):
    """Of HELM's scorer: XL-Sum's cleaning, newmm or pyonmttok's words, Porter stems of more than three characters."""
    import string
    import unicodedata

    stem = import_module("nltk.stem.porter").PorterStemmer().stem

    def is_mark(each):
        return each in string.punctuation or unicodedata.category(each).startswith("P")

    def clean(text):
        kept = []
        for each in text:
            if each in "\t\n\r" or unicodedata.category(each) == "Zs":
                kept.append(" ")
            elif each != "\ufffd" and not unicodedata.category(each).startswith("C"):
                kept.append(each)
        return " ".join("".join(" " if is_mark(each) else each for each in "".join(kept)).split())

    aggressive = thai or import_module("pyonmttok").Tokenizer("aggressive")
    han = re.compile(
        "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f])"
    )

    def cut(text):
        if thai:
            return import_module("pythainlp.tokenize").word_tokenize(text, engine="newmm")
        return han.sub(r" \1 ", " ".join(aggressive.tokenize(text)[0])).split() if text else []

    def tokenize(text):
        tokens = cut(clean(text.lower().strip()))
        return [each for each in (stem(token) if len(token) > 3 else token for token in tokens) if each]

    return tokenize


# Chinese words of pkuseg


def test_zh_pkuseg(tmp_path):
    """The package's words of each piece between sentence marks, lower-cased, as zh_word takes jieba's."""
    pkuseg_model = str(train_pkuseg(tmp_path))
    cut = import_module("spacy_pkuseg").pkuseg(pkuseg_model).cut
    pairs = [pair for pair in PAIRS if all(len(text) < 1000 and "\0" not in text for text in pair)]

    def tokenize(text):
        words = [word for piece in pieces_at_marks(text) for word in cut(piece)]
        words = [word.strip("\u200b\ufeff") for word in words]  # which are blank to no one but us
        return [each.lower() for each in words if word_test()(each)]

    settings = {"pkuseg_model": pkuseg_model, "rouge_types": THREE, "normalize": None}
    check("zh_word", scorer_of(THREE, tokenize), pairs, tokenizer="zh_pkuseg", **settings)


@pytest.mark.parametrize("files", [(), ("features.msgpack",), ("features.pkl", "weights.npz")])  # a pickle may run code
def test_a_folder_without_a_model_of_pkuseg_is_refused(tmp_path, files):
    for name in files:
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match=r"a pickle, which could run code|has no .*weights\.npz"):
        Rouge(tokenizer="zh_pkuseg", pkuseg_model=tmp_path)


# Our own


_SEGMENTERS = (
    *("ja_mecab", "ja_mecab_ipadic", "ja_sudachi_a", "ja_sudachi_b", "ja_sudachi_c"),
    *("ko_mecab", "ko_kiwi", "th_newmm", "vi_words", "km_words", "lo_words"),
)  # by the languages that their names begin with


def installed(name: str) -> None:
    """Skip where a convention's or tokenizer's packages are not installed."""
    needs(*TOKENIZERS[str(CONVENTIONS[name].settings.tokenizer) if name in CONVENTIONS else name].libraries)


@pytest.mark.parametrize("tokenizer", _SEGMENTERS)
def test_odd_texts_equal_themselves(tokenizer):
    installed(tokenizer)
    rouge = Rouge(tokenizer=tokenizer, rouge_types=["rouge1"], empty="one_if_both")
    for text in ("a\0b", " ", "\u200b", "x" * 20_000, "あ" * 20_000):
        assert rouge.compute([text], [text]) == {"rouge1": 1.0}
    cut_in_a_character = Rouge("rouge155", tokenizer=tokenizer, max_bytes=10)  # the third カ
    assert cut_in_a_character.compute(["a カルカル"], ["a カル カ"])["rouge1"] > 0


@pytest.mark.parametrize("name", ["ja_word", "ko_word", "th_word", "vi_word"])
def test_a_signature_made_by_other_versions_is_refused(name):
    installed(name)
    written = CONVENTIONS[name].settings.signature()
    ((package, version),) = re.findall(r"(unidic-lite|python-mecab-ko-dic|pythainlp|pyvi):([^|]*)", written)

    assert RougeSettings.from_signature(written) == CONVENTIONS[name].settings
    with pytest.raises(ValueError, match=rf"pip install {package}==0\.0\.1"):
        RougeSettings.from_signature(written.replace(f"{package}:{version}", f"{package}:0.0.1"))


# Which model


def test_weights_of_pkuseg_are_in_its_digest(tmp_path):
    needs("spacy-pkuseg")
    folder = Path(train_pkuseg(tmp_path))
    written = Rouge(tokenizer="zh_pkuseg", pkuseg_model=folder).signature()
    assert re.search(rf"\|pkuseg:{re.escape(folder.name)}#[0-9a-f]{{12}}\|.*\|spacy-pkuseg:", written)
    weights = dict(np.load(folder / "weights.npz"))
    np.savez(folder / "weights.npz", sizes=weights["sizes"], w=-weights["w"])
    with pytest.raises(ValueError, match="but the signature says"):
        RougeSettings.from_signature(written, pkuseg_model=str(folder))


def test_models_that_can_not_be_meant():
    for settings in (
        {"tokenizer": "subwords"},
        {"subword_model": "a/b"},
        {"tokenizer": "subwords", "subword_model": "nothing-here"},
        {"tokenizer": "zh_pkuseg"},
        {"tokenizer": "zh_pkuseg", "pkuseg_model": "news"},
        {"pkuseg_model": "news"},
    ):
        with pytest.raises(ValueError, match=r"(subword|pkuseg)_model"):
            RougeSettings(**settings)


def test_a_model_that_is_not_here_is_refused_with_the_command(tmp_path):
    needs("tokenizers")
    with pytest.raises(FileNotFoundError, match=r"hf download nobody/nothing tokenizer.json --revision v1"):
        Rouge(tokenizer="subwords", subword_model="nobody/nothing@v1")
    with pytest.raises(FileNotFoundError):
        Rouge(tokenizer="subwords", subword_model=tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="is no tokenizer of Hugging Face"):
        Rouge(tokenizer="subwords", subword_model=tmp_path).compute(["a"], ["a"])


def test_a_model_of_the_hub_is_taken_from_its_cache(tmp_path, monkeypatch):
    needs("tokenizers")
    hub = tmp_path / "models--us--words"
    snapshot = hub / "snapshots" / "0123abcd"
    snapshot.mkdir(parents=True)
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("0123abcd")
    train_bpe(snapshot)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    rouge = Rouge("super_ni", subword_model="us/words")
    written = rouge.signature()

    assert rouge.compute(["서울은 수도"], ["서울은 수도"]) == {"rougeL": 100.0}
    assert re.search(r"\|subwords:us/words#[0-9a-f]{12}\|", written)
    assert RougeSettings.from_signature(written) == rouge.settings
    with pytest.raises(ValueError, match="and here it is"):
        RougeSettings.from_signature(re.sub("#[0-9a-f]{12}", "#0123456789ab", written))
