"""Saves the figures that the code left open, in addition to those it saved itself.

A figure that the code has saved where charts are collected (a png or jpg directly
in the run's folder) is not saved again: the code's own file is the chart.
"""

import os
import sys
import tempfile

from sextant_sandbox import chart_theme

MAX_FIGURES = 10
_MARK = "_saved_by_the_code"


def watch_saving():
    """Runs once, in the zygote: makes figures record that they were saved."""
    from matplotlib.figure import Figure
    plain = Figure.savefig

    def savefig(self, fname, *arguments, **options):
        result = plain(self, fname, *arguments, **options)
        if _collected(fname, options.get("format")):
            setattr(self, _MARK, True)
        return result

    savefig.__doc__ = plain.__doc__
    Figure.savefig = savefig


def _collected(fname, kind):
    if not isinstance(fname, (str, os.PathLike)):
        return False
    path = os.path.abspath(os.fspath(fname))
    ending = os.path.splitext(path)[1].lstrip(".") or kind or "png"
    return (os.path.dirname(path) in ("/tmp", tempfile.gettempdir())
            and ending.lower() in ("png", "jpg", "jpeg"))


def save_open_figures(directory):
    """Returns one sentence for each figure that could not be saved."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    complaints = []
    for number in list(pyplot.get_fignums())[:MAX_FIGURES]:
        figure = pyplot.figure(number)
        if getattr(figure, _MARK, False) or not figure.axes:
            continue
        try:
            chart_theme.part_labels(figure)
            figure.savefig(_free_name(directory, number), format="png",
                           bbox_inches="tight", dpi=100)
        except BaseException as error:
            complaints.append(f"figure {number} could not be drawn: "
                              f"{type(error).__name__}: {error}")
    return complaints


def _free_name(directory, number):
    name = f"figure_{number}.png"
    while os.path.lexists(os.path.join(directory, name)):
        name = "_" + name
    return os.path.join(directory, name)
