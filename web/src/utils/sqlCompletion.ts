/** What the editor of the SQL console offers: the names of the semantic model, its metrics, functions. */
import type { OntologyGraph } from '../api/types';

export interface Offer {
  label: string;
  type: 'table' | 'property' | 'metric' | 'function';
  /** What follows the label in the list. */
  detail?: string;
  /** What is shown next to the chosen offer. */
  info?: string;
  /** What is written; the label otherwise. */
  apply?: string;
}

export interface SqlNames {
  /** By table, as it is written in a query. */
  tables: Record<string, Offer[]>;
  /** Fields, metrics and functions, for anywhere in a query. */
  offers: Offer[];
}

const PLAIN = /^[a-z_][a-z0-9_]*$/;
const NAME = /^(?:"(?:[^"]|"")+"|[A-Za-z_][A-Za-z0-9_]*)$/;
/** Schemas whose tables a query names alone. */
const USUAL = new Set(['public', 'main']);

export function quoted(name: string): string {
  return PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** public.orders as "orders", sales.Order Details as 'sales."Order Details"'; null: a query, no table. */
export function tableName(source: string): string | null {
  const parts = source.split('.');
  if (parts.length > 3 || parts.some((part) => !part.trim() || /[()\n]/.test(part))) return null;
  const bare = parts.map((part) => (NAME.test(part) && part.startsWith('"') ? part : quoted(part)));
  const [schema, table] = bare.slice(-2);
  if (table === undefined) return schema ?? null;
  return USUAL.has(schema!) ? table : `${schema}.${table}`;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function fieldOffer(node: OntologyGraph['nodes'][number]): Offer {
  const expression = text(node.properties.expression);
  const computed = expression !== '' && !NAME.test(expression);
  return {
    label: computed ? node.name : expression || quoted(node.name), type: 'property',
    detail: text(node.properties.dataType) || undefined,
    info: text(node.properties.description) || (computed ? expression : undefined),
    apply: computed ? `(${expression})` : undefined,
  };
}

function metricOffer({ name, expression, description }: NonNullable<OntologyGraph['metrics']>[number]): Offer[] {
  if (!expression) return [];
  return [{
    label: name, type: 'metric', detail: 'metric', info: description ? `${description} ${expression}` : expression,
    apply: `${expression} as ${quoted(name)}`,
  }];
}

/** The names of a model. Offers of one label and detail come once. */
export function namesOf(graph: OntologyGraph | undefined, functions: readonly string[] = []): SqlNames {
  const tables: SqlNames['tables'] = {};
  const offers: Offer[] = [];
  const fields = new Map((graph?.nodes ?? []).filter(({ label }) => label === 'Field').map((node) => [node.id, node]));
  const owned = new Map<string, string[]>();
  for (const edge of graph?.edges ?? [])
    if (edge.type === 'HAS_FIELD') owned.set(edge.source, [...(owned.get(edge.source) ?? []), edge.target]);
  for (const node of graph?.nodes ?? []) {
    const table = node.label === 'Dataset' ? tableName(text(node.properties.source) || node.name) : null;
    if (table === null) continue;
    const columns = (owned.get(node.id) ?? []).flatMap((id) => fields.get(id) ?? []).map(fieldOffer);
    tables[table] = columns;
    offers.push(...columns.map((offer) => ({ ...offer, detail: [table, offer.detail].filter(Boolean).join(' · ') })));
  }
  offers.push(...(graph?.metrics ?? []).flatMap(metricOffer));
  offers.push(...functions.map((label): Offer => ({ label, type: 'function', apply: `${label}(` })));
  return { tables, offers };
}

/** Code points, as the server counts, as an offset of the editor. */
export function offsetOf(sql: string, position: number): number {
  return [...sql].slice(0, Math.max(0, position - 1)).join('').length;
}
