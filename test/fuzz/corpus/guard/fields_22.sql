select generate_series.generate_series from generate_series(1, 3)
