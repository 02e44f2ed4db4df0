select (o).c from lower('x') as o(c)
