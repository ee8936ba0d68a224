"""Usual names of columns by what they hold, as people and tools write them; ``errors.folded`` makes them comparable."""

import re

from polyrouge.errors import folded

CONVERSATIONS = ("messages", "conversations", "contents")
# Usual names of the columns of each role, the most likely first, as ``folded`` writes them; and paths in tools' files.
NAMES = {
    "prediction": (
        "detokenized", "prediction", "predictions", "preds", "pred", "predict",
        "predicted", "predictiontext", "hypothesis", "hypotheses", "hyp", "hyps",
        "generated", "filteredresps", "generatedtext", "generatedtexts",
        "generatedsummary", "generatedanswer", "generation", "generations",
        "predictedsummary", "predictedtext", "modelanswer",
        "modelsummary", "modelprediction", "modelresponse", "actualoutput",
        "decoded", "decodedsummary", "decodedtext", "completion",
        "completions", "candidate", "mt", "response", "responses",
        "output", "outputs", "outputtext", "sampled", "systemoutput", "systemsummary",
        "modeloutput", "lmoutput", "llmoutput", "llmresponse",
        "预测", "模型输出", "生成摘要", "生成文本", "模型回答", "生成结果",
        "model_response.text_post_processed", "model_response.text",  # lighteval
        "result.completions[0].text",  # HELM
        "sample_score.score.extracted_prediction", "sample_score.score.prediction",  # evalscope, reviews
        "model_output.choices[0].message", "model_output.choices[0].message.content",  # evalscope, predictions
        "response.body.choices[0].message", "response.body.choices[0].message.content",
        "response.body.choices[0].text",  # batches of OpenAI and vLLM
        "response.body.output",  # of OpenAI's Responses
        "choices[0].message", "choices[0].message.content", "choices[0].text", "outputs[0].text",
        "result.message.content",  # batches of Anthropic
        "response.candidates[0].content", "candidates[0].content",  # Gemini, in batches and alone
        "candidates[0].content.parts[0].text",
        "output.choices[0].message", "output.choices[0].message.content",  # Inspect
        "response.output",  # promptfoo
        "predictions[0].result[0].value.text",  # Label Studio
        "output.pred",  # FlashRAG
        "message.content", "output.text", "generations[0].text",  # Ollama, DashScope, Cohere
        "modelOutput.content", "modelOutput.output.message.content[0].text", "modelOutput.generation",
        "modelOutput.results[0].outputText",  # batches of Bedrock
        "answer", "caption", *CONVERSATIONS,
    ),
    "reference": (
        "references[].output.text",  # HELM, instances
        "references", "reference", "refs", "ref", "refr", "label", "labels",
        "target", "targets", "targettext", "tgt", "gold", "golds",
        "goldanswer", "goldanswers", "goldenanswers", "goldensummary", "goldtext",
        "groundtruth", "groundtruths", "gt", "gts", "expectedoutput", "referenceoutputs",
        "expected", "expectedanswer", "expectedresponse",
        "actual", "goldsummary", "referencesummary", "referencetext", "referenceanswer",
        "referencesummaries", "correctanswer", "humansummary", "originalsummary", "generationgt", "answers", "answer",
        "instance.references[].output.text", "doc.choices",  # HELM, lighteval
        "choices[0].review.gold",  # evalscope before 1.0
        "annotations[0].result[0].value.text",  # Label Studio
        "inputs.targets_pretokenized", "input.targets_pretokenized",  # T5X
        "参考", "参考答案", "标准摘要", "参考摘要", "参考文本", "标准答案", "人工摘要",
        "summary", "summarization", "highlights", "abstract", "title", "solution", "摘要", "标题", "答案",
        "output", "outputs", "caption", *CONVERSATIONS,
    ),
    "source": ("source", "sourcetext", "document", "article", "dialogue", "原文", "正文"),
    "summary": ("summary", "highlights", "abstract", "reference", "references", "target", "tgt", "title", "摘要"),
    "text": ("text", "instruction", "prediction", "content", "document", "sentence"),
}  # fmt: skip
FIRST_OF_OTHERS = {"prediction": "answer", "reference": "summary"}  # these names and the next mean other things too
# Words that tell a role in names that are not listed.
_ROLE_WORDS = {
    "prediction": {
        "pred", "prediction", "predicted", "hyp", "hypo", "hypothesis", "generate", "generated", "gen", "decoded",
        "candidate",
    },
    "reference": {
        "ref", "reference", "gold", "golden", "target", "truth", "truths", "true", "gt", "ideal", "expected",
    },
}  # fmt: skip
# In Chinese, such a word and what is meant are one: 模型回答, 参考摘要; but 参考资料 is a source, and 模型 a name.
_WHAT = "(?:摘要|总结|概括|文本|文案|答案|回答|回复|答复|标题|内容|结果|输出|译文|翻译|描述|评论|句子|标注)"
_ROLES_IN_CHINESE = {
    "prediction": re.compile(
        f"(?:大?模型|系统|机器|ai)?(?:预测|生成|输出|推理|候选)的?{_WHAT}?|(?:大?模型|系统|机器|ai|实际)的?{_WHAT}|预测值|回答"
    ),
    "reference": re.compile(f"(?:人工)?(?:参考|标准|真实|正确|期望|预期|目标|人工)的?{_WHAT}|真实值?|参考|标注"),
}
_NUMBERED = re.compile(r"(.*?)(\d{1,2})")
# References of one text: a list in such a column may hold its sentences.
OF_ONE_TEXT = ("summary", "abstract", "highlights", "title", "headline", "goldsummary", "referencesummary")
INPUTS = (
    *NAMES["source"],
    "prompt",
    "input",
    "question",
    "query",
    "instruction",
    "context",
    "src",
    "history",
    "问题",
    "输入",
    "指令",
)
KNOWN = {*INPUTS, *(name for names in NAMES.values() for name in names)}
ID_COLUMNS = (
    "customid", "id", "exampleid", "guid", "uid", "uuid", "docid", "documentid", "articleid", "questionid", "sampleid",
    "instanceid", "taskid", "imageid", "qid", "编号", "instance.id",
)  # fmt: skip
# Names that hold ids too if all files have them; alone they may count something else.
SHARED_IDS = ("index", "idx", "key", "recordid", "problemid", "dialogueid", "fname", "filename", "序号")
# Who made the predictions.
OF_SYSTEMS = ("system", "systemid", "systemname", "model", "modelid", "modelname", "generator")
# What tells the copies of a document apart: filters of lm-evaluation-harness, perturbations of HELM, systems.
OF_COPIES = (
    "filter", "instance.perturbation.name", "train_trial_index", "system", "system_id", "model", "model_id",
    "model_name", "generator", "epoch", "repeat", "seed",
)  # fmt: skip


def tells_role(name: str, role: str) -> bool:
    """Return whether a word of a name tells the role, and none tells another: ``summary_pred``, 真实摘要."""
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    roles = [of for of, telling in _ROLE_WORDS.items() if not words.isdisjoint(telling)]
    roles += [of for of, telling in _ROLES_IN_CHINESE.items() if telling.fullmatch(folded(name))]
    return roles == [role]


def numbered_references(names: list[str]) -> list[list[str]]:
    """Return columns that are a reference each, as their names are numbered (``ref1``, ``ref2``), by their stems."""
    stems: dict[str, list[str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(folded(name))
        stems.setdefault(match[1] if match else folded(name), []).append(name)
    only = [stem for stem in NAMES["reference"] if stem not in NAMES["prediction"]]  # outputs may be of systems
    return [stems[stem] for stem in only if len(stems.get(stem, ())) > 1]
