# Runs before the scientist's code: the names that it may use without an import.
import importlib
import warnings

warnings.filterwarnings("ignore")

for _name, _module, _part in [
        ("pd", "pandas", None), ("np", "numpy", None),
        ("plt", "matplotlib.pyplot", None), ("sns", "seaborn", None),
        ("px", "plotly.express", None), ("go", "plotly.graph_objects", None),
        ("make_subplots", "plotly.subplots", "make_subplots"),
        ("sm", "statsmodels.api", None), ("smf", "statsmodels.formula.api", None),
        ("sklearn", "sklearn", None), ("scipy", "scipy", None),
        ("stats", "scipy.stats", None), ("statsmodels", "statsmodels", None),
        ("plotly", "plotly", None)]:
    try:
        _found = importlib.import_module(_module)
        globals()[_name] = getattr(_found, _part) if _part else _found
    except ImportError:
        pass  # the code that needs it fails with a NameError

if "go" in globals():
    # There is no browser here: a figure is shown with the answer.
    go.Figure.show = lambda *arguments, **options: None


def _give_tables(tables):
    """The tables of a database, as those of files are given by the sandbox."""
    import keyword
    names = globals()
    names["datasets"] = tables
    for name, table in tables.items():
        if name.isidentifier() and not keyword.iskeyword(name):
            names.setdefault(name, table)
    if len(tables) == 1:
        names["df"] = next(iter(tables.values()))
