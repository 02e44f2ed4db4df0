select d.lexeme, d.positions from documents, unnest(vector) d
