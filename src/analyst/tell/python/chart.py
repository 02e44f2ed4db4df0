# Draws the result of step 1. CONFIG says which columns there are.
import matplotlib
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import FuncFormatter

MOST_BARS, MOST_LINES = 30, 8


def number(value, _=None):
    for size, sign in ((1e9, "bn"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if sign == 'k' else size):,.4g}{sign}"
    return f"{value:,.4g}"


def names(data, columns):
    text = data[columns].apply(lambda c: c.map(name))
    return text.apply(lambda row: ", ".join(row), axis=1)


def name(value):
    if value is None or value != value:
        return "(none)"
    if isinstance(value, pd.Timestamp):
        return value.strftime("%Y-%m-%d")
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "..."


def columns_of(data, wanted):
    return [c for c in wanted if c in data.columns]


def draw_time(axes, data, measures, others):
    when = pd.to_datetime(data[CONFIG["time_column"]], errors="coerce")
    if getattr(when.dt, "tz", None) is not None:
        when = when.dt.tz_localize(None)
    if others:
        groups = names(data, others)
        if CONFIG.get("indexed"):
            average = data.groupby(groups)[measures[0]].transform("mean")
            data[measures[0]] = data[measures[0]] / average * 100
        largest = data.groupby(groups)[measures[0]].sum().abs()
        kept = largest.sort_values(ascending=False).index[:MOST_LINES]
        for group in kept:
            mask = (groups == group) & when.notna()
            axes.plot(when[mask], data.loc[mask, measures[0]], marker="o",
                      markersize=3, label=group)
        left = len(largest) - len(kept)
        axes.legend(fontsize=8, title=f"{left} more not shown" if left else None)
    else:
        for measure in measures:
            axes.plot(when, data[measure], marker="o", markersize=3,
                      label=CONFIG["labels"].get(measure, measure))
        if len(measures) > 1:
            axes.legend(fontsize=8)
    locator = mdates.AutoDateLocator()
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(mdates.ConciseDateFormatter(locator))
    axes.yaxis.set_major_formatter(FuncFormatter(number))
    label = CONFIG["labels"].get(measures[0], measures[0])
    axes.set_ylabel(f"{label}, own average = 100" if CONFIG.get("indexed")
                    else label)
    if (data[measures].min(numeric_only=True) >= 0).all():
        axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def draw_bars(axes, data, measures, dimensions):
    shown = data.head(MOST_BARS).iloc[::-1]
    labels = names(shown, dimensions)
    places = range(len(shown))
    height = 0.8 / len(measures)
    for i, measure in enumerate(measures):
        axes.barh([p - 0.4 + height * (i + 0.5) for p in places],
                  shown[measure].fillna(0), height=height,
                  label=CONFIG["labels"].get(measure, measure))
    axes.set_yticks(list(places))
    axes.set_yticklabels(labels)
    axes.xaxis.set_major_formatter(FuncFormatter(number))
    axes.set_xlabel(CONFIG["labels"].get(measures[0], measures[0])
                    if len(measures) == 1 else "")
    if len(measures) > 1:
        axes.legend(fontsize=8)
    if len(data) > MOST_BARS:
        axes.set_title(f"the first {MOST_BARS} of {len(data)} rows", fontsize=8,
                       loc="right")
    axes.grid(axis="x", alpha=0.3)


def main():
    data = globals().get("step_1_data")
    if not isinstance(data, pd.DataFrame) or not len(data):
        print("There are no rows to draw.")
        return
    data = data.copy()
    measures = columns_of(data, CONFIG["measures"])
    dimensions = columns_of(data, CONFIG["dimensions"])
    if not measures or not dimensions:
        print("There is nothing to draw.")
        return
    for measure in measures:
        data[measure] = pd.to_numeric(data[measure], errors="coerce")
    # Measures of very different size do not share an axis.
    sizes = data[measures].abs().max()
    measures = [m for m in measures
                if sizes[m] * 50 >= sizes[measures[0]] >= sizes[m] / 50
                or m == measures[0]]
    timed = CONFIG["time_column"] in dimensions and not CONFIG["bars"]
    rows = min(len(data), MOST_BARS)
    figure, axes = plt.subplots(
        figsize=(9, 5) if timed else (9, max(2.5, 0.3 * rows + 1.2)))
    if timed:
        draw_time(axes, data, measures,
                  [d for d in dimensions if d != CONFIG["time_column"]])
    else:
        draw_bars(axes, data, measures, dimensions)
    axes.set_title(CONFIG["title"], fontsize=11, loc="left")
    figure.tight_layout()
    print(f"Drawn: {CONFIG['title']}, {len(data)} rows.")


matplotlib.use("Agg")
plt.rcParams["text.parse_math"] = False
main()
