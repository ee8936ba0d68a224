"""The list of samples in a real browser: of many rows only those near the view are drawn, and nobody can tell."""

import random
from functools import partial

import pytest
from report_browser import accessibility_problems, count_of, shown_names, sort_by, turn

from polyrouge import Rouge
from polyrouge.report.html_report import write_report

N_ROWS = 400
MOST_DRAWN = 60
WORDS = [f"w{number}" for number in range(20)]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report list"),
    pytest.mark.filterwarnings("ignore::polyrouge.errors.RougeWarning"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    draw = random.Random(1)
    references = [" ".join(draw.choices(WORDS, k=12)) for _ in range(N_ROWS)]
    first, second = (
        [" ".join(word for word in text.split() if draw.random() < share) for text in references]
        for share in (0.7, 0.5)
    )
    return write_report(
        tmp_path_factory.mktemp("reports") / "r.html",
        first,
        references,
        rouge=Rouge(rouge_types=["rouge1", "rougeL"]),
        others={"other": second},
        ids=[f"s{number}" for number in range(N_ROWS)],
    )


@pytest.fixture
def opened(open_report, report):
    return partial(open_report, report)


# The drawn rows by what assistive technology is told of their place, and how high each stands in the view, in rows.
DRAWN = """() => {
  const view = document.getElementById("samples-view");
  const rows = [...view.querySelectorAll("tbody tr[aria-rowindex]")];
  const start = view.getBoundingClientRect().top + view.querySelector("thead").offsetHeight - view.scrollTop;
  const height = rows[1].getBoundingClientRect().top - rows[0].getBoundingClientRect().top;
  return {
    places: rows.map((row) => row.ariaRowIndex - 2),
    expected: rows.map((row) => (row.getBoundingClientRect().top - start) / height),
    names: rows.map((row) => row.querySelector("bdi").textContent),
    top: Math.round(view.scrollTop / height),
    count: Number(view.querySelector("table").getAttribute("aria-rowcount")),
  };
}"""
# The place of the row with the focus, and whether all of it can be seen.
FOCUSED = """() => {
  const row = document.activeElement.closest("#samples tbody tr");
  const view = document.getElementById("samples-view").getBoundingClientRect();
  const head = document.querySelector("#samples thead").getBoundingClientRect();
  const box = document.activeElement.getBoundingClientRect();
  return row && [row.getAttribute("aria-rowindex") - 2, box.top >= head.bottom - 1 && box.bottom <= view.bottom + 1];
}"""

# Type something, and wait until the search begins.
BEGIN_TO_SEARCH = """async (wanted) => {
  const count = document.getElementById("count");
  const begun = new Promise((resume) => new MutationObserver(resume).observe(count, { childList: true }));
  const field = document.getElementById("search");
  field.value = wanted;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await begun;
}"""


def scroll_to(page, place):
    """Scroll so that the row at a place is the first on view, and wait until the list rests."""
    page.evaluate(
        """place => {
          const view = document.getElementById("samples-view");
          const [one, other] = view.querySelectorAll("tbody tr[aria-rowindex]");
          view.scrollTop = place * (other.getBoundingClientRect().top - one.getBoundingClientRect().top);
        }""",
        place,
    )
    page.wait_for_function("place => location.hash.includes(`at=${place + 1}`)", arg=place)


def test_only_rows_near_the_view_are_drawn_each_at_its_place(opened):
    page = opened()
    for place in (0, 150, N_ROWS - 100, 3):
        if place:
            scroll_to(page, place)
        drawn = page.evaluate(DRAWN)

        assert (drawn["count"], drawn["top"]) == (N_ROWS + 1, place)
        assert len(drawn["places"]) == MOST_DRAWN
        assert drawn["places"] == list(range(drawn["places"][0], drawn["places"][0] + MOST_DRAWN))
        assert drawn["places"][0] <= place < place + 15 < drawn["places"][-1]
        assert drawn["expected"] == pytest.approx(drawn["places"], abs=0.05)
    assert page.locator("#samples thead tr").get_attribute("aria-rowindex") == "1"
    page.wait_for_function("[...document.querySelectorAll('#samples .text div')].every((each) => each.textContent)")


def test_keys_go_over_the_edge_of_what_is_drawn(opened):
    page = opened()
    page.locator("#samples tbody [data-row]").first.focus()
    for place in range(1, MOST_DRAWN + 20):
        page.keyboard.press("ArrowDown")
        assert page.evaluate(FOCUSED) == [place, True]
    for key in ("End", "ArrowDown"):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == [N_ROWS - 1, True]
    page.keyboard.press("PageUp")
    place, is_seen = page.evaluate(FOCUSED)
    assert is_seen
    assert N_ROWS - 30 < place < N_ROWS - 5
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) == [place - 1, True]
    page.keyboard.press("Home")
    assert page.evaluate(FOCUSED) == [0, True]
    page.keyboard.press("PageDown")
    assert page.evaluate(FOCUSED)[0] > 5


def test_the_focus_stays_on_its_row_and_tab_leaves_the_list(opened):
    page = opened()
    page.locator("#samples thead button").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == [0, True]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "star"
    assert page.evaluate(FOCUSED)[0] == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#sample-exports') !== null")

    page.locator("#samples tbody [data-row]").nth(2).focus()
    name = page.evaluate("document.activeElement.textContent")
    scroll_to(page, 200)
    assert page.evaluate("document.activeElement.textContent") == name
    places = page.evaluate(DRAWN)["places"]
    assert places[0] == 2  # it stays, at its place
    assert places[1] > 100
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == [3, True]

    page = opened()
    page.locator("#samples tbody [data-row]").first.click()
    page.locator("#pair-title").wait_for()
    for _ in range(MOST_DRAWN + 10):
        turn(page)
    page.keyboard.press("Escape")
    page.wait_for_function(f"({FOCUSED})()?.[0] === {MOST_DRAWN + 10}")
    assert page.evaluate(FOCUSED)[1]


def test_where_the_list_stands_after_a_change(opened):
    page = opened()
    scroll_to(page, 100)
    page.locator("#type").select_option(label="rougeL")
    assert shown_names(page)
    assert page.evaluate(DRAWN)["top"] == 100  # another type stays at the place

    page.locator("#outcome").select_option("won")  # a filter begins at the first row
    assert shown_names(page)
    drawn = page.evaluate(DRAWN)
    assert drawn["top"] == drawn["places"][0] == 0
    assert drawn["count"] - 1 == count_of(page) < N_ROWS
    assert "at=" not in page.url
    page.locator("#outcome").select_option("all")

    # Names with numbers are in the order of these, and a link shows where one stands.
    sort_by(page, "name")
    assert shown_names(page)[:12] == [f"s{number}" for number in range(12)]
    sort_by(page, "name", "descending")
    assert shown_names(page)[0] == f"s{N_ROWS - 1}"
    sort_by(page, "name")
    scroll_to(page, 123)
    drawn = opened(page.url.split("#")[1]).evaluate(DRAWN)
    assert drawn["top"] == 123
    assert drawn["names"][drawn["places"].index(123)] == "s123"


def test_rows_have_one_height_whatever_their_script(open_report, tmp_path):
    texts = ["plain", "汉字与 latin", "العربية نص", "हिन्दी में", "ภาษาไทย", "😀 𠮷", "", "x\ny"] * 4
    path = write_report(tmp_path / "r.html", texts, texts, rouge=Rouge(rouge_types=["rouge1"], empty="zero"), ids=texts)
    page = open_report(path, width=360, height=740)
    heights = page.locator("#samples tbody tr").evaluate_all(
        "all => all.map((row) => row.getBoundingClientRect().height)"
    )
    assert len(heights) == len(texts)
    assert len(set(heights)) == 1


def test_paper_has_the_rows_that_are_drawn_and_says_which(opened):
    page = opened(width=700, height=990)
    scroll_to(page, 100)
    first, last = (page.evaluate(DRAWN)["places"][place] + 1 for place in (0, -1))
    page.emulate_media(media="print")

    assert page.locator("#printed").inner_text().startswith(f"On this paper: samples {first} to {last} of {N_ROWS}")
    assert page.locator("#samples tbody tr:visible").count() == MOST_DRAWN
    assert page.locator("#samples-view").evaluate("view => view.scrollHeight <= view.clientHeight + 1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("locale", "scheme", "width"), [("en-US", "light", 1280), ("zh-CN", "dark", 360)])
def test_axe_finds_no_violation_anywhere_in_the_list(opened, locale, scheme, width):
    page = opened(locale=locale, color_scheme=scheme, width=width, height=740)
    page.locator("#samples tbody [data-row]").nth(2).focus()
    scroll_to(page, 200)

    assert accessibility_problems(page) == []
    assert page.locator("html").evaluate("each => each.scrollWidth - each.clientWidth") <= 0


def test_a_search_is_given_up_for_the_next_one_and_sorted_as_all_rows(opened):
    page = opened()
    page.evaluate(BEGIN_TO_SEARCH, "w1")
    page.locator("#search").fill("no such word")
    page.locator("#count", has_text="No sample matches.").wait_for()
    page.locator("#filter [type=reset]").click()
    assert len(shown_names(page)) == MOST_DRAWN
    assert int(page.locator("#samples").get_attribute("aria-rowcount")) == N_ROWS + 1

    page.locator("#search").fill("w1 w2")
    matches = set(shown_names(page))
    assert 0 < len(matches) < MOST_DRAWN
    sort_by(page, "name")
    assert sorted(matches, key=lambda name: int(name[1:])) == shown_names(page)
    page.locator("#search").fill("w2 w3")
    assert set(shown_names(page)) != matches
