"""What ``evaluate.load`` gives: from the script's path, and from a Hub on this machine."""

import sys
from contextlib import contextmanager
from pathlib import Path

import evaluate
import huggingface_hub.constants
import pytest
from evaluate import config
from hub_server import HUB_NAME, SCRIPT, running_hub


@contextmanager
def loaded_metrics(home):
    """The classes of the metric, ``"evaluate"`` and ``"hub"``, from caches below ``home``."""
    others = _forgotten_modules()
    with pytest.MonkeyPatch.context() as changes, running_hub() as server:
        changes.setattr(config, "HF_MODULES_CACHE", home / "modules")
        changes.setattr(config, "HF_METRICS_CACHE", home / "metrics")
        changes.setattr(config, "DOWNLOADED_EVALUATE_PATH", home / "downloads")
        changes.setattr(config, "HF_UPDATE_DOWNLOAD_COUNTS", False)
        changes.setattr(config, "HF_ENDPOINT", server.endpoint)
        changes.setattr(config, "HUB_EVALUATE_URL", f"{server.endpoint}/spaces/{{path}}/resolve/{{revision}}/{{name}}")
        changes.setattr(huggingface_hub.constants, "ENDPOINT", server.endpoint)
        for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            changes.delenv(variable, raising=False)
        # without the folders of other copies, which would come first
        changes.setattr(sys, "path", [each for each in sys.path if not Path(each, "evaluate_modules").is_dir()])
        classes = {"evaluate": type(evaluate.load(str(SCRIPT))), "hub": type(evaluate.load(HUB_NAME))}
        assert "polyrouge--rouge_metric" in classes["hub"].__module__
        yield classes
    _forgotten_modules()
    sys.modules.update(others)


def _forgotten_modules():
    """Take evaluate's copies out of ``sys.modules``: they belong to one cache folder."""
    names = [name for name in sys.modules if name.partition(".")[0] == "evaluate_modules"]
    return {name: sys.modules.pop(name) for name in names}
