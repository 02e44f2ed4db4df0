"""Loads the packages in the zygote, so that no execution has to."""

import gc
import importlib
import importlib.metadata
import importlib.util
import os
import warnings

PACKAGES = ["pandas", "numpy", "scipy", "scikit-learn", "matplotlib",
            "seaborn", "openpyxl", "statsmodels", "plotly", "duckdb"]

MODULES = """
numpy numpy.random numpy.linalg numpy.fft
pandas pandas.plotting._matplotlib
scipy.stats scipy.optimize scipy.interpolate scipy.signal scipy.linalg
scipy.sparse scipy.spatial scipy.cluster.hierarchy scipy.ndimage
sklearn.linear_model sklearn.cluster sklearn.ensemble sklearn.tree
sklearn.preprocessing sklearn.model_selection sklearn.metrics sklearn.pipeline
sklearn.decomposition sklearn.neighbors sklearn.svm sklearn.naive_bayes
sklearn.compose sklearn.impute sklearn.feature_selection sklearn.mixture
sklearn.manifold sklearn.datasets
matplotlib matplotlib.pyplot matplotlib.dates matplotlib.ticker
matplotlib.backends.backend_agg matplotlib.patches matplotlib.gridspec
mpl_toolkits.mplot3d
statsmodels.api statsmodels.formula.api
plotly.express plotly.graph_objects plotly.subplots plotly.io
duckdb
seaborn openpyxl PIL.Image PIL.PngImagePlugin PIL.JpegImagePlugin joblib
asyncio bisect collections csv dataclasses datetime decimal difflib enum
fractions functools glob heapq html io itertools json logging math operator
os pathlib pickle pprint random re shutil sqlite3 statistics string struct
tempfile textwrap threading time traceback typing unicodedata uuid zipfile
zoneinfo concurrent.futures multiprocessing
""".split()

THREAD_SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1", "NUMEXPR_NUM_THREADS": "1",
    "LOKY_MAX_CPU_COUNT": "1",
}


def check():
    """Raises ImportError if a package is missing without which nothing works."""
    for name in ("numpy", "pandas", "duckdb"):
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named '{name}'")


def load(cache):
    """Imports everything; `cache` is the folder that matplotlib may write to."""
    os.environ.update(THREAD_SETTINGS, MPLCONFIGDIR=cache, MPLBACKEND="Agg",
                      HOME=cache)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in MODULES:
            importlib.import_module(name)
        _draw_once()
    _settle()
    warnings.filterwarnings("ignore", message=".*non-interactive.*")
    gc.collect()
    gc.freeze()


def _draw_once():
    """Draws once, which loads fonts and lazily created tables."""
    import io
    import matplotlib.pyplot as plt
    import pandas as pd
    frame = pd.DataFrame({"k": ["a", "b", "a"], "v": [1.0, 2.0, 3.0]})
    totals = frame.groupby("k", as_index=False)["v"].sum()
    figure, axes = plt.subplots()
    axes.bar(totals["k"], totals["v"], label="v")
    axes.set_title("warm")
    axes.legend()
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight", dpi=100)
    frame.to_string()
    frame.describe()
    plt.close("all")


def _settle():
    """Executions cannot start processes: makes joblib use threads, and replaces locks in
    /dev/shm with locks between threads."""
    import joblib
    import matplotlib.pyplot as plt
    import multiprocessing.context
    import threading
    config = joblib.parallel_config(backend="threading", n_jobs=1)
    config.__enter__()
    for name in ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore",
                 "Event", "Barrier"):
        kind = getattr(threading, name)
        setattr(multiprocessing, name, kind)
        setattr(multiprocessing.context.BaseContext, name, staticmethod(kind))
    plt.show = lambda *arguments, **options: None


def versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
