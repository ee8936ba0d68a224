"""Remove what language models write besides their answer: the step ``"model_output"`` of ``prepare``.

The passes, in this order, each in linear time; docs/settings.md lists what they know:

1. Of the turns of a chat, the model's answer stays: the last turn behind a prompt, the first where it wrote others.
2. Thoughts and calls of tools: from an opening mark to its closing mark, or to the end if there is none. A closing mark
   without an opening one removes all text before it: chat templates put the opening mark into the prompt. A block
   that may be the answer, such as ``<analysis>``, is left out only whole, and only beside other words.
3. Control tokens become a blank, with the role or channel that they announce: ``<|im_start|>assistant``, ``</s>``.
4. HTML entities with their semicolon become their characters, twice: ``&nbsp;``, ``&#8203;``, ``&amp;nbsp;``.
5. Invisible characters are left out. Cf is that of Unicode 15, whatever Python's version knows.
6. Up to three marks of lists and headings at the start of a line are left out, but 3.5 stays.

Not changed: emphasis (``**``), code, links, and anything else within a line.
"""

import re
from collections.abc import Iterator

from polyrouge.texts.edits import Edit, Edits, replacing
from polyrouge.texts.patterns import pattern

_THOUGHT = (
    "think|thinking|thought|reasoning|seed:think|antml:thinking|scratch_?pad|inner_(?:thoughts?|monologue)"
    "|chain_of_thought|(?:thinking|thought|reasoning)_process|tool_calls?|tool_responses?|tool_code|function_calls?"
)
_BESIDE_ANSWER = "analysis|reflections?|plan|planning|thoughts|rationale|critique|brainstorm(?:ing)?"
_BARE_FINAL = "assistantfinal"  # of gpt-oss, whose tokens around channels were skipped
_CHANNEL = r"(?:<\|start\|>assistant)?<\|channel\|>"
_MARK = pattern(  # the group has the closing marks
    rf"<(?:{_THOUGHT})>|\[THINK\]|◁think▷|<\|open\|>think<\|sep\|>|<\|START_THINKING\|>|<\|begin_of_thought\|>"
    r"|<function=\w{1,64}>|\[TOOL_CALLS\]|<\|python_tag\|>|<｜tool▁calls▁begin｜>|<\|tool_calls_section_begin\|>"
    rf"|<\|channel>thought\b|{_CHANNEL}(?:analysis|commentary)[^<>|]*(?:<\|constrain\|>\w+)?<\|message\|>"
    rf"|(</(?:{_THOUGHT}|function)>|<｜tool▁calls▁end｜>|<\|tool_calls_section_end\|>|\[/THINK\]|◁/think▷|<\|close\|>think<\|sep\|>|<\|END_THINKING\|>|<\|end_of_thought\|>"
    rf"|<channel\|>|<\|end\|>(?=<\|start\|>assistant)|\A\s*(?:analysis|commentary)[\s\S]*?{_BARE_FINAL})"
)
_BLOCK_MARK = pattern(rf"<(/?)({_BESIDE_ANSWER})>", re.IGNORECASE)
# The beginning of a turn in the templates of chats; a group has the role of an answer.
TURN = (
    r"(?:<\|(?:im_start|im_assistant|im_user|im_system|start|start_header_id|header_start|start_of_role)\|>"
    r"|<\|turn>|<start_of_turn>)(?:(assistant|model)|user|system|developer|tool|ipython)"
    r"|<[|｜](?:hy_)?(?i:(assistant|chatbot_token)|user|user_token|system|system_token|observation)[|｜]>"
    r"|(\[/INST\])|\[INST\]|\[\|(?:(assistant)|user|system)\|\]|\]~b\](?:(ai)|user|system)"
    r"|(<reserved_10[37]>)|<reserved_10[26]>"
)
# Templates in words, of Alpaca, Vicuna and others; only where a person's turn is there.
_TURN_OF_A_PERSON = pattern(
    r"^(?:Below is an instruction\b.*\n\s*)?### (?:Instruction|Input|Human|User):"
    r"|^(?:A chat between .*)?USER: |^Human: ",
    re.MULTILINE,
)
_TURN = pattern(TURN)
_ANY_TURN = pattern(
    rf"(?m:{TURN}|{_TURN_OF_A_PERSON.pattern}|^(### (?:Response|Assistant):)|^(Assistant:)|\b(ASSISTANT:))"
)
# Not between two names of one letter: x<s>y compares.
NO_COMPARISON = r"(?!(?<=\b[A-Za-z0-9])<[A-Za-z]>[A-Za-z0-9]\b)"
SPECIAL_TOKEN = (
    rf"{_CHANNEL}\w+[^<>|]*<\|message\|>|{TURN}|<\|[^<>|\s]{{1,64}}\|>|<｜[^<>｜\s]{{1,64}}｜>|<\|(?:turn|channel)>\w*"
    rf"|<(?:turn|channel)\|>|{NO_COMPARISON}</?s>|<(?:pad|unk|bos|eos|sep|cls|mask|sos|sop|eod|eop|start|end|go"
    r"|PAD|UNK|BOS|EOS|SEP|CLS|MASK|SOS|EOD|START|END|GO|start_of_turn|end_of_turn|seed:[be]os"
    r"|extra_id_\d{1,4}|unused\d{1,4}|reserved_\d{1,4})>"
    r"|\[(?:/?INST|PAD|CLS|UNK|MASK|gMASK|BOS|EOS|STOP|unused\d{1,4})\]|\[\|\w{1,32}\|\]|\]~!?b[\[\]]|\[e~\["
)
_CONTROL = pattern(rf"{SPECIAL_TOKEN}|\[SEP\]|</?answer>")
_TAG, _WORD = pattern(r"<[^<>]{0,64}>"), pattern(r"\w")
ENTITY = pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
UNSEEN = (  # left out by pass 5; the inside of a class of a regular expression
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"  # Cf
    "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"  # Co
    "\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # the grapheme joiner, variation selectors
)
_UNSEEN = pattern(f"[{UNSEEN}]+")
_NUMERAL = "[一二三四五六七八九十百]"
LINE_MARK = pattern(
    r"^[^\S\n]*(?:(?:#{1,6}[^\S\n]|[-*+][^\S\n]|[•●○▪■◆◦‣·]|[0-9]{1,3}[.、)）](?![0-9])|[(（][0-9]{1,3}[)）]"
    rf"|[(（]{_NUMERAL}{{1,3}}[)）]|{_NUMERAL}{{1,3}}、(?!{_NUMERAL}))[^\S\n]*){{1,3}}",
    re.MULTILINE,
)


def may_have_thoughts(text: str) -> bool:
    """Say quickly whether a text has the first sign of a mark of thoughts; most texts have none."""
    return "<" in text or "[" in text or "◁" in text or _BARE_FINAL in text


def has_thoughts(text: str) -> bool:
    """Say whether a text has a mark of thoughts."""
    if not may_have_thoughts(text):
        return False
    return _MARK.search(text) is not None or next(_blocks_beside_answer(text), None) is not None


def has_turns(text: str) -> bool:
    """Say whether a text has a mark that begins a turn of a chat."""
    if ("<" in text or "[" in text or "]~b]" in text) and _TURN.search(text) is not None:
        return True
    return ("### " in text or "USER:" in text or "Human:" in text) and _TURN_OF_A_PERSON.search(text) is not None


def _turns(text: str) -> Iterator[Edit]:
    """Leave the answer: the last turn of a chat with its prompt, or the first turn where the model wrote others too."""
    turns = [*_ANY_TURN.finditer(text)] if has_turns(text) else []
    if not turns:
        return
    first, before = turns[0], text[: turns[0].start()].strip()
    if before and _CONTROL.match(before) is None:  # the answer, unless the mark is what is left of its prompt
        *_, last = (0, *(match.end() for match in _CONTROL.finditer(before)))
        if first.lastindex is None or last == len(before):
            yield first.start(), len(text), ""
            return
    answers = [number for number, turn in enumerate(turns) if turn.lastindex is not None]
    if answers:
        number = answers[-1] if first.lastindex is None else 0
        yield 0, turns[number].end(), ""
        stop = next((turn.start() for turn in turns[number:] if turn.lastindex is None), len(text))
        if stop < len(text):
            yield stop, len(text), ""


def _thoughts(text: str) -> Iterator[Edit]:
    last_stop, opened = 0, -1  # end of the last thought, and start of the open one
    for mark in _MARK.finditer(text):
        if not mark[1]:
            opened = mark.start() if opened < 0 else opened
            continue
        yield (last_stop if opened < 0 else opened), mark.end(), ""
        last_stop, opened = mark.end(), -1
    if opened >= 0:
        yield opened, len(text), ""


def _blocks_beside_answer(text: str) -> Iterator[Edit]:
    """Leave out whole blocks of thoughts that might be the answer themselves, unless nothing else is there."""
    opened: dict[str, int] = {}  # starts of the open blocks, by name
    blocks: list[tuple[int, int]] = []
    for mark in _BLOCK_MARK.finditer(text):
        name = mark[2].lower()
        if not mark[1]:
            opened.setdefault(name, mark.start())
        elif (start := opened.get(name)) is not None:
            opened = {outer: position for outer, position in opened.items() if position < start}
            while blocks and blocks[-1][0] > start:  # blocks within this
                blocks.pop()
            blocks.append((start, mark.end()))
    starts, stops = [start for start, _ in blocks], [stop for _, stop in blocks]
    outside = "".join(text[stop:start] for stop, start in zip([0, *stops], [*starts, len(text)], strict=True))
    if blocks and _WORD.search(_TAG.sub("", outside)) is not None:
        yield from ((start, stop, "") for start, stop in blocks)


def unescape(entity: str) -> str:
    """Return the characters of an HTML entity."""
    import html.entities  # slow to import

    return html.unescape(entity) if entity[1] == "#" else html.entities.html5.get(entity[1:], entity)


PASSES: tuple[Edits, ...] = (
    _turns,
    _thoughts,
    _blocks_beside_answer,
    replacing(_CONTROL, " "),
    replacing(ENTITY, unescape),
    replacing(ENTITY, unescape),
    replacing(_UNSEEN, ""),
    replacing(LINE_MARK, ""),
)
