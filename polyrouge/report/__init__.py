"""The report of up to 12 systems as one HTML file."""

from polyrouge.report.html_report import write_report

__all__ = ["write_report"]
