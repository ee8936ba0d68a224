"""The report of up to 12 systems as one HTML file, and plots for papers."""

from polyrouge.report.html_report import write_report
from polyrouge.report.plots import plot_difference, plot_distribution, plot_length

__all__ = ["plot_difference", "plot_distribution", "plot_length", "write_report"]
