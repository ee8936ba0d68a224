"""The whole page: its tabs, its language, its limits; built by ``build_page``, served by ``launch``."""

import importlib.util
import shutil
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr
from starlette.middleware import Middleware

from polyrouge.page.choices import Choice, read_link
from polyrouge.page.controls import PRIVATE, QUIET, TEXT_LANE, SettingControls, Wording
from polyrouge.page.endpoints import add_endpoints, answer_agents_in_json
from polyrouge.page.files_tab import FilesTab, file_note, visitor_of
from polyrouge.page.job import start_forkserver
from polyrouge.page.limits import LIMITS
from polyrouge.page.log import omit_messages
from polyrouge.page.score_views import notes_html
from polyrouge.page.server_folder import make_folder
from polyrouge.page.strangers import StrangerLimits
from polyrouge.page.text_tabs import EXAMPLE_CHOICES, TryTab, example_texts
from polyrouge.page.text_views import show_conventions, show_try
from polyrouge.page.visitor import VISITORS, Visitor
from polyrouge.page.wording import LANGUAGES, page_asset, page_link, say

_FONTS = "system-ui, Segoe UI, Roboto, Noto Sans, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif"
_QUICK = 8  # handlers without a lane at the same time
_PAGES = 100  # open pages and callers whose components Gradio remembers, half a megabyte each; nothing else is lost
_THREADS = 3 * LIMITS.waiting_of_address


def build_page() -> gr.Blocks:
    """Build the page, with the scores of its example."""
    wording = Wording()
    idle = 60 * LIMITS.idle_minutes
    with gr.Blocks(
        title="ROUGE - polyrouge", analytics_enabled=False, delete_cache=(600, idle), fill_width=False
    ) as page:
        with gr.Row(elem_id="page-head"):
            wording.add(gr.HTML(scale=4), value=_head)
            small: dict[str, Any] = {"show_label": False, "container": False, "scale": 0, "elem_id": "page-language"}
            language = gr.Radio(
                [*zip(LANGUAGES.values(), LANGUAGES, strict=True)], value="en", label="Language / 语言", **small
            )
        with gr.Tabs(elem_id="page-tabs") as tabs:
            with wording.add(gr.Tab(id="try"), label="tabTry"):
                first = TryTab(wording, language)
            with wording.add(gr.Tab(id="file"), label="tabFile"):
                files = FilesTab(wording, language)
            with wording.add(gr.Tab(id="conventions"), label="tabConventions") as tab:
                conventions = gr.HTML(elem_id="conventions-table")
            tab.select(show_conventions, [*first.texts, language], conventions, **PRIVATE, **TEXT_LANE)
        query, asked_settings = gr.Textbox(visible=False), gr.Textbox(visible=False)

        def opened(code: str, search: str, settings_of_files: str) -> list[Any]:
            """Return the page as a link or the browser's language asks for; it was built in English, for no link."""
            code = code if code in LANGUAGES else "en"
            asked = dict(parse_qsl(search or ""))
            has_state = bool(asked.keys() & {"prediction", "references", "convention"})
            if code == "en" and not has_state and not settings_of_files:
                # The page is complete, and something may have been typed.
                return [gr.skip()] * len(filled)
            (prediction, references), choice, unknown = example_texts(code), Choice(EXAMPLE_CHOICES[code]), []
            note, of_files = file_note(Visitor(), code), choice
            if has_state:
                choice, unknown = read_link({"convention": choice.convention, **asked})
                prediction, references = asked.get("prediction", prediction), asked.get("references", references)
            shown = show_try(prediction, references, choice, code)
            of_link = notes_html([say(code, "linkBad", what=key) for key in unknown], code)
            worded = wording.updates(code) if code != "en" else [gr.skip()] * len(wording.components)
            if settings_of_files:
                of_files, unknown = read_link(dict(parse_qsl(settings_of_files)))
                note += notes_html([say(code, "linkBad", what=key) for key in unknown], code)
            tab = "file" if settings_of_files else "conventions" if asked.get("tab") == "conventions" else None
            values = [*SettingControls.write(choice), of_link, *shown, *worded, note, *SettingControls.write(of_files)]
            return [code, prediction, references, *values, gr.Tabs(selected=tab) if tab else gr.skip()]

        of_files = [files.note, *files.controls.components]
        filled = [language, *first.inputs, first.of_link, *first.outputs, *wording.components, *of_files, tabs]
        asked = [language, query, asked_settings]
        loaded = page.load(opened, asked, filled, js="() => pageOpens()", **QUIET, **TEXT_LANE)
        loaded.then(None, js="(...values) => pageIsFilled(...values)", **PRIVATE)

        def switched(
            request: gr.Request, code: str, strips: str, prediction: str, references: str, *rest: Any
        ) -> list[Any]:
            """Return the page in the language that was chosen, with all that is on it."""
            shown = first.update(prediction, references, *rest, code)
            strips = show_conventions(prediction, references, code) if strips else ""
            return [*wording.updates(code), *shown, strips, *files.rerender(visitor_of(request), code)]

        typed = [language, conventions, *first.inputs]
        redrawn = [*wording.components, *first.outputs, conventions, *files.rerendered]
        language.input(switched, typed, redrawn, js="(...values) => languageIsChosen(...values)", **QUIET, **TEXT_LANE)

        def closed(request: gr.Request) -> None:
            VISITORS.leave(request.session_hash or "")

        page.unload(closed)
        add_endpoints()
    page.queue(max_size=LIMITS.waiting, default_concurrency_limit=_QUICK, api_open=False)
    return page


def launch(**options: Any) -> Any:
    """Build and serve the page; see ``gradio.Blocks.launch`` for the options."""
    start_forkserver()
    omit_messages()
    folder = make_folder()
    has_agents = importlib.util.find_spec("mcp") is not None
    if has_agents:
        answer_agents_in_json()
    usual = {
        # Fonts of the visitor's machine, so that nothing is loaded from other servers; colours with enough contrast.
        "theme": gr.themes.Default(  # pyright: ignore[reportPrivateImportUsage]
            primary_hue="blue",
            secondary_hue="blue",
            neutral_hue="slate",
            font=_FONTS.split(", "),
            font_mono=["ui-monospace", "Consolas", "monospace"],
        ),
        "css": page_asset("page.css"),
        "head": f'<meta name="color-scheme" content="light dark"><script>{page_asset("page.js")}</script>',
        "state_session_capacity": _PAGES,
        "max_file_size": 3_000_000 * LIMITS.file_megabytes,  # our own limit, which is lower, has a sentence of its own
        "max_threads": _THREADS,
        "mcp_server": has_agents,
        "ssr_mode": False,
        "footer_links": ["api"],  # its settings would be another "Settings"
        "show_error": False,  # we show errors ourselves
    }
    page = build_page()
    usual["app_kwargs"] = {"middleware": [Middleware(StrangerLimits, page=page)]}
    try:
        return page.launch(**{**usual, **options})
    finally:
        if not options.get("prevent_thread_lock"):
            shutil.rmtree(folder, ignore_errors=True)


def _head(language: str) -> str:
    links = page_link(language, "documents", "index") + page_link(language, "papers", "papers")
    return f"<h1>{say(language, 'title')}</h1><p>{say(language, 'lead')} {links}</p>"
