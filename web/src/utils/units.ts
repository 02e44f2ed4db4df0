/** Money and percentages: what the semantic model says of its fields and metrics. */
import type { OntologyGraph } from '../api/types';
import type { Rows } from './rows';

export type Unit = { kind: 'money'; symbol: string } | { kind: 'percent' };

export type Units = ReadonlyMap<string, Unit>;

export const NO_UNITS: Units = new Map();

const CURRENCIES: [RegExp, string][] = [
  [/\b(?:US|U\.S\.) dollars?\b/gi, 'USD'], [/\beuros?\b|€/gi, 'EUR'], [/\bpounds sterling\b|£/gi, 'GBP'],
  [/\bswiss francs?\b/gi, 'CHF'], [/\b(?:Japanese )?yen\b/gi, 'JPY'],
];
const PERCENT = /\bin per ?cent\b|\bpercentage\b|\bin %/gi;
const CODE = /\bin ([A-Z]{3})\b/g;

function symbolOf(code: string): string | null {
  if (!Intl.supportedValuesOf('currency').includes(code)) return null;
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value ?? code;
}

/** The unit that a description ends with: "in percent, of an amount in US dollars" is one of money. */
export function unitOf(description: string): Unit | null {
  let found: Unit | null = null;
  let at = -1;
  const take = (index: number, unit: Unit | null) => {
    if (unit && index > at) [found, at] = [unit, index];
  };
  for (const match of description.matchAll(PERCENT)) take(match.index, { kind: 'percent' });
  for (const [words, code] of CURRENCIES)
    for (const match of description.matchAll(words)) take(match.index, { kind: 'money', symbol: symbolOf(code) ?? code });
  for (const match of description.matchAll(CODE)) {
    const symbol = symbolOf(match[1]!);
    take(match.index, symbol === null ? null : { kind: 'money', symbol });
  }
  return found;
}

const key = (name: string) => name.toLowerCase().replaceAll(/[\s_]+/g, ' ').trim();

interface Described {
  name: string;
  description?: string;
  synonyms?: string[];
}

/** The units by name and synonym. A name that the model uses with different units has none. */
export function unitsOf(graph: OntologyGraph | undefined): Units {
  if (!graph?.nodes) return NO_UNITS;
  const fields = graph.nodes.filter((node) => node.label === 'Field')
    .map((node): Described => ({ ...(node.properties as Partial<Described>), name: node.name }));
  const units = new Map<string, Unit | null>();
  for (const { name, description, synonyms = [] } of [...fields, ...(graph.metrics ?? [])]) {
    const unit = unitOf(description ?? '');
    for (const one of [name, ...synonyms]) {
      const known = units.get(key(one));
      units.set(key(one), known === undefined || JSON.stringify(known) === JSON.stringify(unit) ? unit : null);
    }
  }
  return new Map([...units].filter((pair): pair is [string, Unit] => pair[1] !== null));
}

/** The unit of a result's column, if it is named like a field or a metric, perhaps with its aggregate: "total_revenue". */
export function unitOfColumn(units: Units, column: string): Unit | null {
  const name = key(column);
  const bare = name.replace(/^(?:total|sum|avg|average|mean|median|min|minimum|max|maximum)(?: of)? /, '');
  return units.get(name) ?? units.get(bare) ?? null;
}

/** Rows whose numbers have the units of the semantic model. */
export function withUnits<R extends Rows | null>(rows: R, units: Units): R {
  if (!rows || units.size === 0) return rows;
  const columns = rows.columns.map((c) => (c.kind === 'number' ? { ...c, unit: unitOfColumn(units, c.name) } : c));
  return { ...rows, columns };
}

/** A number that is already written, with its unit. */
export function withUnit(text: string, unit: Unit | null | undefined): string {
  if (!unit || text === '') return text;
  if (unit.kind === 'percent') return `${text}%`;
  const space = /[A-Za-z]$/.test(unit.symbol) ? ' ' : '';
  return text.startsWith('-') ? `-${unit.symbol}${space}${text.slice(1)}` : `${unit.symbol}${space}${text}`;
}
