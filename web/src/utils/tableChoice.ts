/** The tables to build a model of: for each schema all of them, or some. */
export type Chosen = 'all' | ReadonlySet<string>;
export type TableChoice = ReadonlyMap<string, Chosen>;

export interface Selection {
  selectedSchemas: string[];
  selectedTables: string[];
}

function withSchema(choice: TableChoice, schema: string, chosen: Chosen): TableChoice {
  const next = new Map(choice);
  if (chosen !== 'all' && chosen.size === 0) next.delete(schema);
  else next.set(schema, chosen);
  return next;
}

export function chooseSchema(choice: TableChoice, schema: string, on: boolean): TableChoice {
  return withSchema(choice, schema, on ? 'all' : new Set());
}

/** `tables`: all tables of the schema. */
export function chooseTable(choice: TableChoice, schema: string, table: string, on: boolean, tables: string[]): TableChoice {
  const before = choice.get(schema);
  const next = new Set(before === 'all' ? tables : before);
  if (on) next.add(table);
  else next.delete(table);
  return withSchema(choice, schema, tables.every((name) => next.has(name)) ? 'all' : next);
}

export function isChosen(choice: TableChoice, schema: string, table: string): boolean {
  const chosen = choice.get(schema);
  return chosen === 'all' || Boolean(chosen?.has(table));
}

/** From schemas with their number of tables. */
export function countChosen(choice: TableChoice, sizes: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const [schema, chosen] of choice) count += chosen === 'all' ? (sizes.get(schema) ?? 0) : chosen.size;
  return count;
}

/** The request for the server: it names tables only for schemas of which some are left out. */
export async function selectionOf(
  choice: TableChoice,
  tablesOf: (schema: string) => Promise<string[]>,
): Promise<Selection> {
  const selectedSchemas = [...choice.keys()];
  if ([...choice.values()].every((chosen) => chosen === 'all')) return { selectedSchemas, selectedTables: [] };
  const parts = await Promise.all(
    [...choice].map(async ([schema, chosen]) =>
      (chosen === 'all' ? await tablesOf(schema) : [...chosen]).map((table) => `${schema}.${table}`)),
  );
  return { selectedSchemas, selectedTables: parts.flat() };
}
