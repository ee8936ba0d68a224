"""Advice by language: ``suggest``, the note of ``compute``, and the table of docs/languages.md."""

import ast
import json
import re
import unicodedata
from pathlib import Path

import pytest
from language_packages import needs

from polyrouge import CONVENTIONS, TOKENIZERS, Rouge, RougeSettings, suggest
from polyrouge.errors import hearing_warnings
from polyrouge.texts.languages import shares_of_languages

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    "Chinese": "今天天气很好，我们去公园。",
    "Japanese": "国家公務員が東京都へ行った。",
    "Korean": "서울은 대한민국의 수도이다.",
    "Thai": "กรุงเทพเป็นเมืองหลวงของประเทศไทย",
    "Lao": "ວຽງຈັນເປັນນະຄອນຫຼວງຂອງປະເທດລາວ",
    "Khmer": "ភ្នំពេញជារាជធានីនៃប្រទេសកម្ពុជា",
    "Burmese": "ရန်ကုန်မြို့သည် မြန်မာနိုင်ငံ၏ မြို့ဖြစ်သည်။",
    "Vietnamese": "Hà Nội là thủ đô của Việt Nam.",
    "Arabic": "القاهرة عاصمة مصر.",
    "Hebrew": "ירושלים היא עיר.",
    "Hindi": "दिल्ली भारत की राजधानी है।",
    "Bengali": "ঢাকা বাংলাদেশের রাজধানী।",
    "Cyrillic": "Киев — столица Украины.",
    "Greek": "Η Αθήνα είναι πρωτεύουσα.",
    "Latin": "Straßburg liegt in Frankreich, São Paulo não.",
}


def call_of(arguments: str) -> tuple[str, dict]:
    """The convention and settings of a call of ``Rouge``, as they are written."""
    call = ast.parse(f"f({arguments})", mode="eval").body
    return ast.literal_eval(call.args[0]), {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}


OTHER_SCRIPTS = {
    "Armenian": "Հայերեն լեզու",
    "Punjabi": "ਪੰਜਾਬੀ ਬੋਲੀ",
    "Gujarati": "ગુજરાતી ભાષા",
    "Odia": "ଓଡ଼ିଆ ଭାଷା",
    "Tamil": "தமிழ் மொழி",
    "Telugu": "తెలుగు భాష",
    "Kannada": "ಕನ್ನಡ ಭಾಷೆ",
    "Malayalam": "മലയാളം ഭാഷ",
    "Sinhala": "සිංහල භාෂාව",
    "Tibetan": "བོད་སྐད་ཡིག་ཡིན།",
    "Georgian": "ქართული ენა",
    "Amharic": "አማርኛ ቋንቋ",
    "Another script": "ᱥᱟᱱᱛᱟᱲᱤ ᱯᱟᱹᱨᱥᱤ",
}


def test_scripts_without_a_convention_get_the_default():
    for language, text in OTHER_SCRIPTS.items():
        (advice,) = suggest(text)
        assert (advice.language, advice.share, advice.settings) == (language, 1, ("'default'",))
    assert [advice.language for advice in suggest("தமிழ் மொழி ABC")] == ["Tamil", "Latin"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ọjọ́ náà dára púpọ̀, ẹ ṣeun fún wíwá síbí.", "Latin"),  # Yoruba
        ("Đak je došao.", "Latin"),  # Croatian
        ("Tôi đi học.", "Vietnamese"),
        (unicodedata.normalize("NFD", "Hà Nội là thủ đô."), "Vietnamese"),
        ("优衣库の新品上市了", "Chinese"),
        ("東京都の人口", "Japanese"),
    ],
)
def test_letters_that_languages_share(text, language):
    assert [each.language for each in suggest(text)] == [language]


def test_a_language_is_known_by_its_script_and_its_advice_makes_a_metric():
    for language, text in TEXTS.items():
        (advice,) = suggest(text)
        assert (advice.language, advice.share) == (language, 1)
        assert str(advice).startswith(f"{language} (100% of the letters): Rouge(")
        for name, changes in map(call_of, advice.settings):
            assert CONVENTIONS[name].settings.replace(**changes)


def test_advice_says_what_a_tokenizer_makes_of_the_language():
    for tokenizer, now in (("ascii", "nothing: its letters are dropped"), ("char", "characters")):
        (advice,) = suggest("السلام عليكم", RougeSettings(tokenizer=tokenizer))
        assert advice.now == now


def test_advice_says_what_agrees_with_people_where_that_is_clear():
    stored = json.loads((ROOT / "benchmarks/studies/human_judgements.json").read_text(encoding="utf-8"))
    differences = {each["data"][-2:]: each["difference"] for each in stored["tests"] if ", " in each["data"]}
    clear = {name: value > 0 for name, (value, low, high) in differences.items() if low * high > 0}
    said = {language: suggest(text)[0].people for language, text in TEXTS.items()}

    assert {name: words for name, words in said.items() if words}.keys() == {"Chinese", "Cyrillic", "Latin"}
    assert (clear["zh"], "characters agree better than words") == (True, said["Chinese"])
    assert (clear["ru"], said["Cyrillic"].endswith("agree better than words in Russian")) == (False, True)
    assert (clear["en"], clear["es"]) == (True, False)  # words; character 4-grams
    assert said["Latin"].endswith("in English, the other way round in Spanish")
    assert "With people, characters agree better than words (docs/which_rouge.md)." in str(*suggest(TEXTS["Chinese"]))
    assert (ROOT / "docs/which_rouge.md").is_file()


@pytest.mark.parametrize(
    ("language", "tokenizer", "said"),
    [
        ("Korean", "mixed", "words with their particles"),
        ("Thai", "ascii", "nothing: its letters are dropped"),
        ("Japanese", "zh_char", "a run of kana"),
        ("Thai", "zh_char", "a whole clause"),
        ("Thai", "char", "character"),
        ("Latin", "ascii", "a word of a to z"),
        ("Korean", "ko_mecab", ""),
    ],
)
def test_what_settings_do_to_a_language(language, tokenizer, said):
    (found,) = suggest([TEXTS[language]], RougeSettings(tokenizer=tokenizer))

    assert said in found.now
    assert bool(said) == bool(found.now)


def test_several_languages_by_their_share():
    assert [advice.language for advice in suggest([TEXTS["Thai"], TEXTS["Korean"], "a"])] == ["Thai", "Korean"]
    assert suggest([]) == suggest(["...", ""]) == ()
    with pytest.raises(TypeError, match=r"texts\[1\] is None"):
        suggest(["a", None])
    read = iter([TEXTS["Korean"] * 1000] * 1000)
    assert shares_of_languages(read) == {"Korean": 1}
    assert len(list(read)) > 900  # the first texts tell


# The note of compute


PAIR = ["서울은 대한민국의 수도이다."], ["대한민국 수도는 서울이다."]


def kinds_of(predictions: list[str], references: list, **settings) -> list[str]:
    with hearing_warnings() as notes:
        Rouge(rouge_types=["rouge1"], **settings).compute(predictions, references)
    return [note.kind for note in notes]


def test_korean_words_that_differ_by_particles_are_noted_once():
    assert kinds_of(["It is Seoul.", *PAIR[0]], ["It is.", *PAIR[1]]) == ["korean_particles"]
    assert kinds_of(PAIR[0] * 2000, PAIR[1] * 2000, engine="compiled") == ["korean_particles"]
    assert kinds_of(PAIR[0], [["부산", *PAIR[1]]]) == ["korean_particles"]
    assert kinds_of(["비가 온다"], ["비는 왔다"]) == ["korean_particles"]


def test_what_works_is_not_noted():
    assert kinds_of(*PAIR, tokenizer="char") == kinds_of(*PAIR, tokenizer="unicode") == []
    assert kinds_of(PAIR[0], PAIR[0]) == []
    assert kinds_of(PAIR[0], ["부산도 도시다."]) == []  # nothing in common, by morphemes neither
    assert kinds_of(list(TEXTS.values()), list(TEXTS.values())[::-1]) == []


@pytest.mark.languages
def test_the_morphemes_that_the_note_names_find_what_the_words_do_not():
    needs("python-mecab-ko")
    assert Rouge("ko_word").compute(*PAIR)["rouge1"] > 0.7


# The documents


@pytest.mark.languages
@pytest.mark.parametrize("page", ["languages.md", "languages.zh.md"])
def test_scores_of_the_examples_are_those_of_the_table(page):
    table = re.findall(
        r"^\| (?:([^|]*) )?\| `([^`]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$",
        (ROOT / "docs" / page).read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    texts = ""
    for first, written, *scores in table:
        texts = first or texts
        name, changes = call_of(written)
        needs(*TOKENIZERS[str(CONVENTIONS[name].settings.replace(**changes).tokenizer)].libraries)
        prediction, reference = ([text] for text in texts.split(" / "))
        with hearing_warnings():
            means = Rouge(name, rouge_types=["rouge1", "rouge2", "rougeL"], **changes).compute(prediction, reference)
        assert scores == [f"{100 * value:.1f}" for value in means.values()], (texts, written)
    assert len(table) == 18
