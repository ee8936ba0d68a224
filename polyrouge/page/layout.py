"""The whole page: its tabs, its language, its limits; built by ``build_page``, served by ``serve``."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr
from gradio.utils import get_upload_folder

from polyrouge.errors import hearing_warnings
from polyrouge.metric import Rouge
from polyrouge.page.choices import Choice, read_link
from polyrouge.page.controls import SettingControls, Wording
from polyrouge.page.conventions_tab import ConventionsTab
from polyrouge.page.endpoints import add_endpoints
from polyrouge.page.file_views import file_note
from polyrouge.page.limits import LIMITS
from polyrouge.page.recipes_tab import recipes_html
from polyrouge.page.scoring import VIEWS
from polyrouge.page.sessions import SessionStore
from polyrouge.page.tables import notes_html
from polyrouge.page.texts import LANGUAGES, document_address, page_asset, say
from polyrouge.page.try_tab import EXAMPLE_CHOICES, TryTab, example_texts, render_try
from polyrouge.page.upload_tab import UploadTab

# The language of the link, else the one chosen last, else the browser's; and what stands after ? in the address. If the
# page will be filled again, nothing can be typed until then.
_ON_LOAD = """() => {
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = null;
  try { kept = localStorage.getItem("polyrouge-language"); } catch (error) { /* no storage in this frame */ }
  const own = (navigator.languages?.[0] || navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en";
  const language = [asked, kept, own].find((each) => each === "en" || each === "zh");
  document.documentElement.lang = language;
  const behind = new URLSearchParams(location.hash.slice(1)); // of a report; its settings alone leave the browser
  const settings = behind.has("report") ? behind.get("settings") || "convention=default" : "";
  if (language !== "en" || location.search || settings) {
    const tabs = document.getElementById("page-tabs");
    if (tabs) tabs.inert = true;
  }
  return [language, location.search.slice(1), settings];
}"""
_ON_LOADED = """() => {
  const tabs = document.getElementById("page-tabs");
  if (tabs) tabs.inert = false;
  document.documentElement.classList.remove("pr-waiting");
}"""
# The page is built in English. A visitor who reads Chinese sees it once it is filled; should that not happen, after a
# few seconds.
_HEAD = """<meta name="color-scheme" content="light dark"><script>(() => {
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = null;
  try { kept = localStorage.getItem("polyrouge-language"); } catch (error) { /* no storage in this frame */ }
  const own = (navigator.languages?.[0] || navigator.language || "").toLowerCase().startsWith("zh") ? "zh" : "en";
  if ([asked, kept, own].find((each) => each === "en" || each === "zh") === "en") return;
  const root = document.documentElement;
  root.classList.add("pr-waiting");
  setTimeout(() => root.classList.remove("pr-waiting"), 10000);
})();</script>"""
_ON_LANGUAGE = """(language, ...rest) => {
  document.documentElement.lang = language;
  try { localStorage.setItem("polyrouge-language", language); } catch (error) { /* no storage in this frame */ }
  return [language, ...rest];
}"""
_SWEEP_SECONDS = 60
_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_FONTS = [
    "system-ui",
    "Segoe UI",
    "Roboto",
    "Noto Sans",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "sans-serif",
]


def build_page() -> gr.Blocks:
    """Build the page, with the scores of its example."""
    store = SessionStore(Path(get_upload_folder()))
    store.sweep_each(_SWEEP_SECONDS)
    wording = Wording()
    with gr.Blocks(
        title="ROUGE - polyrouge", analytics_enabled=False, delete_cache=(600, LIMITS.idle_seconds), fill_width=False
    ) as page:
        with gr.Row(elem_id="page-head"):
            head = gr.HTML(_head("en"), scale=4)
            language = gr.Radio(
                [(name, key) for key, name in LANGUAGES.items()],
                value="en",
                label="Language / 语言",
                elem_id="page-language",
                scale=1,
                min_width=220,
            )
        with gr.Tabs(elem_id="page-tabs") as tabs:
            with wording.add(gr.Tab(say("en", "tabTry"), id="try"), label="tabTry"):
                first = TryTab(wording, language, store)
            with wording.add(gr.Tab(say("en", "tabFile"), id="file"), label="tabFile"):
                upload = UploadTab(wording, language, store)
            tab = wording.add(gr.Tab(say("en", "tabConventions"), id="conventions"), label="tabConventions")
            with tab:
                conventions = ConventionsTab(wording, language, tab, first)
            with wording.add(gr.Tab(say("en", "tabPapers"), id="papers"), label="tabPapers"):
                recipes = gr.HTML(recipes_html("en"), elem_id="papers-recipes")
        query, asked_settings = gr.Textbox(visible=False), gr.Textbox(visible=False)
        rendered = [head, recipes]

        def words(chosen: str) -> list[Any]:
            return [*wording.updates(chosen), _head(chosen), recipes_html(chosen)]

        def opened(chosen: str, search: str, settings_of_files: str) -> list[Any]:
            """The page as a link or the browser's language asks for; it was built in English, for no link."""
            chosen = chosen if chosen in LANGUAGES else "en"
            asked = dict(parse_qsl(search or ""))
            has_state = bool(asked.keys() & {"prediction", "references", "convention", "view"})
            if chosen == "en" and not has_state and not settings_of_files:
                # The page is complete, and something may have been typed.
                return [gr.skip()] * len(filled)
            prediction, references = example_texts(chosen)
            choice, unknown, view = Choice(EXAMPLE_CHOICES[chosen]), [], "rouge1"
            if has_state:
                choice, unknown = read_link({"convention": choice.name, **asked})
                view = asked["view"] if asked.get("view") in VIEWS else view
                prediction, references = (
                    asked.get("prediction", prediction),
                    asked.get("references", references),
                )
            shown = list(render_try(prediction, references, choice, view, chosen))
            if unknown:
                shown[0] += notes_html([say(chosen, "linkBad", what=", ".join(unknown))], chosen)
            values = [prediction, references, *SettingControls.write(choice), view]
            spoken = words(chosen) if chosen != "en" else [gr.skip()] * len(worded)
            note, of_files = file_note({}, chosen), Choice(EXAMPLE_CHOICES[chosen])
            if settings_of_files:
                of_files, unknown = read_link(dict(parse_qsl(settings_of_files)))
                note += notes_html([say(chosen, "linkBad", what=", ".join(unknown))], chosen) if unknown else ""
            tab = gr.Tabs(selected="file") if settings_of_files else gr.skip()
            return [chosen, *values, *shown, *spoken, note, *SettingControls.write(of_files), tab]

        worded = [*wording.components, *rendered]
        of_files = [upload.note, *upload.controls.components]
        filled = [language, *first.inputs[:9], *first.outputs, *worded, *of_files, tabs]
        loaded = page.load(opened, [language, query, asked_settings], filled, js=_ON_LOAD, **_QUIET)
        loaded.then(None, js=_ON_LOADED, api_visibility="private")

        def switched(request: gr.Request, chosen: str, *values: Any) -> list[Any]:
            """The page in the language that was chosen, with all that is on it."""
            tried, (prediction, references) = values[:9], values[9:]
            table = conventions.update(prediction, references, chosen) if references else gr.skip()
            again = upload.rerender(chosen, request)
            return [*words(chosen), *first.update(*tried, chosen), table, *again]

        language.input(
            switched,
            [
                language,
                *first.inputs[:9],
                conventions.prediction,
                conventions.references,
            ],
            [*worded, *first.outputs, conventions.table, *upload.rerendered],
            js=_ON_LANGUAGE,
            **_QUIET,
        )

        def closed(request: gr.Request) -> None:
            store.drop(request.session_hash)

        page.unload(closed)
        add_endpoints()
    page.queue(max_size=LIMITS.waiting, default_concurrency_limit=LIMITS.quick_jobs)
    return page


def serve(**options: Any) -> Any:
    """Serve the page; see ``gradio.Blocks.launch`` for the options.

    Kernels are compiled, or loaded from their cache, before the first visitor needs them.
    """
    threading.Thread(target=_warm_up, daemon=True).start()
    given = {
        "theme": page_theme(),
        "css": page_asset("page.css"),
        "head": _HEAD,
        "state_session_capacity": LIMITS.pages,
        "max_file_size": 3
        * LIMITS.file_megabytes
        * 1_000_000,  # far above our own limit, which has a sentence of its own
        "mcp_server": importlib.util.find_spec("mcp") is not None,
        "ssr_mode": False,
        "footer_links": ["api", "settings"],
        "show_error": False,  # we show errors ourselves
    }
    return build_page().launch(**{**given, **options})


def page_theme() -> gr.themes.Base:  # pyright: ignore[reportPrivateImportUsage]
    """Fonts of the visitor's machine, so that nothing is loaded from other servers; colours with enough contrast."""
    return gr.themes.Default(  # pyright: ignore[reportPrivateImportUsage]
        primary_hue="blue",
        secondary_hue="blue",
        neutral_hue="slate",
        font=_FONTS,
        font_mono=["ui-monospace", "Consolas", "monospace"],
    )


def _head(language: str) -> str:
    link = f'<a href="{document_address("index", language)}" target="_blank">{say(language, "documents")}</a>'
    return f"<h1>{say(language, 'title')}</h1><p>{say(language, 'lead')} {link}</p>"


def _warm_up() -> None:
    """Load what the first visitor would wait for: the dictionary of jieba, tables of characters."""
    prediction, references = example_texts("zh")
    rows = [f"{prediction} {number}" for number in range(500)]
    for name in ("zh_word", "zh_char", "rouge_score", "default"):
        rouge = Rouge(name, sentence_split="auto", output="all")
        with hearing_warnings():
            rouge.compute(rows, [references] * len(rows))
