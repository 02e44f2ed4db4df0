select o from lower('x') o
