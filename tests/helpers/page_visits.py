"""What a visitor of the page does: opens tabs, uploads files, scores them."""

TABS = {
    "en": ["Try it", "Score a file", "Compare conventions", "Which setting for which paper"],
    "zh": ["试一试", "给文件打分", "约定对比", "哪批数字用哪种设置"],
}


def go_to(page, language, place):
    """Open a tab, from the menu where the window is narrow."""
    name = TABS[language][place]
    tab = page.locator("#page-tabs").get_by_role("tab", name=name, exact=True)
    if tab.count() and tab.first.is_visible():
        tab.first.click()
        return
    page.locator("#page-tabs .overflow-menu > button").click()
    page.locator("#page-tabs .overflow-dropdown").get_by_text(name, exact=True).click()


def upload(page, *paths):
    page.locator("#file-upload input[type=file]").set_input_files([str(path) for path in paths])


def remove_files(page):
    """Go to the files of the page in English, and leave none of them there, nor what was scored."""
    go_to(page, "en", 1)
    if not page.locator("#file-note .pr-soft").count():
        page.locator("#file-remove").click()
        page.locator("#file-note .pr-soft").wait_for()
        page.wait_for_function(
            "!document.querySelector('#file-frame iframe') && !document.getElementById('file-status').innerText.trim()"
        )


def score_example(page):
    page.locator("#file-example").click()
    page.locator("#file-note", has_text="prediction_b").wait_for()
    return score_files(page)


def score_files(page):
    """Score what is uploaded; gives the frame of the report, once its samples are there."""
    page.locator("#file-run").click()
    report = page.frame_locator("#file-frame iframe")
    report.locator("#samples tbody tr").first.wait_for()
    return report


def report_of(page):
    """The report's document, as the functions of report_browser take it."""
    page.locator("#file-frame iframe").wait_for()
    (frame,) = page.frames[1:]
    frame.wait_for_selector("#samples tbody tr")
    return frame
