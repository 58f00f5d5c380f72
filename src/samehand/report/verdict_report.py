"""`samehand verify --report`: all that was found and how, on one page that stands by itself.

The same inputs give the same bytes: there is no date in it, and nothing random.
"""

from samehand.report.markup import tag
from samehand.report.page import page
from samehand.report.reported_verdict import ReportedVerdict
from samehand.report.sections import SECTIONS


def report_html(reported: ReportedVerdict) -> str:
    """The report as one HTML file."""
    written = ((title, write(reported)) for title, write in SECTIONS)
    sections = (tag("section", tag("h2", title), text) for title, text in written if text)
    return page("Did the same hand write these texts?", *sections)
