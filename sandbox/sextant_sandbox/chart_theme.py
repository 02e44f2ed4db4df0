"""How Matplotlib draws: the colors of the page's charts (web/src/theme/chartColors.ts),
on white. The code of a run may change all of it."""

INK = "#16211f"
LINE = "#d9e2e0"
SERIES = ["#0f766e", "#c37800", "#7800b4", "#781e00", "#a578f0", "#1e0f3c",
          "#5a96a5", "#a54b00", "#875ac3", "#1e4b5a", "#4b0078", "#4b0000"]

MAX_LABELS = 400


def apply():
    """Runs once, in the zygote."""
    import matplotlib
    from cycler import cycler
    matplotlib.rcParams.update({
        "axes.prop_cycle": cycler(color=SERIES),
        "axes.edgecolor": LINE, "axes.labelcolor": INK, "axes.titlecolor": INK,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": LINE,
        "axes.spines.top": False, "axes.spines.right": False,
        "text.color": INK, "xtick.color": INK, "ytick.color": INK,
        "legend.frameon": False, "figure.facecolor": "white",
    })


def part_labels(figure):
    """Turns the labels of an x axis that overlap, and hides those that still do."""
    figure.draw_without_rendering()
    for axes in figure.axes[:16]:
        labels = _labels(axes)
        if not 1 < len(labels) <= MAX_LABELS or not _overlap(labels):
            continue
        for label in labels:
            label.set(rotation=45, ha="right", rotation_mode="anchor")
        size = labels[0].get_fontsize() * figure.dpi / 72 * 1.4
        end = None
        for label in labels:
            at = label.get_transform().transform(label.get_position())[0]
            if end is not None and at < end:
                label.set_visible(False)
            else:
                end = at + size


def _labels(axes):
    return [label for label in axes.get_xticklabels()
            if label.get_visible() and label.get_text()
            and label.get_rotation() == 0]


def _overlap(labels):
    boxes = sorted((label.get_window_extent() for label in labels),
                   key=lambda box: box.x0)
    return any(a.x1 > b.x0 for a, b in zip(boxes, boxes[1:]))
