/** Suggests the next question: the same measure by another dimension. It uses only the plan and the ontology. */
import type { OntologyGraph, Plan } from '../api/types';

type GraphNode = OntologyGraph['nodes'][number];

interface Field {
  name: string;
  label: string;
  words: string[];
}

interface FieldProperties {
  label?: string;
  dataType?: string;
  isTime?: boolean;
  isPrimaryKey?: boolean;
  synonyms?: string[];
}

const MOST = 3;
/** Fields that are not useful as a dimension: unique for each row, or personal. */
const SINGLE = /(^|[_ ])(id|key|name|email|phone|address|code|number|url|description|comment|password)s?$/i;
const WHOLE_YEAR = /^(\d{4})-01-01 to \1-12-31$/;
const PERIOD = /^\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}$/;
const IS = /^[\w.]+ is (\S.*)$/;

function windowOf(plan: Plan): string {
  const window = plan.timeWindow ?? '';
  const year = WHOLE_YEAR.exec(window)?.[1];
  if (year) return ` in ${year}`;
  return PERIOD.test(window) ? ` from ${window}` : '';
}

function filterOf(plan: Plan): string {
  const value = plan.filters.length === 1 ? IS.exec(plan.filters[0]!)?.[1] : undefined;
  return value ? ` for ${value}` : '';
}

function fieldOf(node: GraphNode): Field | null {
  const about = node.properties as FieldProperties;
  const label = (about.label ?? node.name).toLowerCase();
  const groups = about.dataType === 'String' || about.dataType === 'Boolean';
  if (!groups || about.isPrimaryKey || about.isTime || SINGLE.test(node.name) || SINGLE.test(label)) return null;
  return { name: node.name, label, words: [node.name, label, ...(about.synonyms ?? [])].map((w) => w.toLowerCase()) };
}

/** The datasets that the answer used, then those that they refer to: a join to these multiplies no rows. */
function reachable(graph: OntologyGraph, used: string[]): string[] {
  const idOf = new Map(graph.nodes.filter((n) => n.label === 'Dataset').map((n) => [n.name, n.id]));
  const first = used.flatMap((name) => idOf.get(name) ?? []);
  const next = graph.edges.filter((e) => e.type === 'RELATES_TO' && first.includes(e.source)).map((e) => e.target);
  return [...new Set([...first, ...next])];
}

function fieldsByDataset(graph: OntologyGraph, datasets: string[]): Field[][] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return datasets.map((id) =>
    graph.edges
      .filter((e) => e.type === 'HAS_FIELD' && e.source === id)
      .flatMap((e) => fieldOf(nodes.get(e.target)!) ?? []));
}

function hasTime(graph: OntologyGraph, datasets: string[]): boolean {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return graph.edges.some(
    (e) => e.type === 'HAS_FIELD' && datasets.includes(e.source) && (nodes.get(e.target)?.properties as FieldProperties).isTime);
}

/** One suggestion for each dataset, before a second one for any. */
function inTurns(fields: Field[][]): Field[] {
  const longest = Math.max(0, ...fields.map((some) => some.length));
  return Array.from({ length: longest }, (_x, i) => fields.flatMap((some) => some[i] ?? [])).flat();
}

/** `asked`: the questions of the chat, which are not suggested again. */
export function followUps(plan: Plan, used: string[], graph: OntologyGraph, asked: string[]): string[] {
  const metric = plan.metrics[0];
  if (!metric || plan.complexity === 'conversational') return [];
  const datasets = reachable(graph, used);
  const taken = [...plan.dimensions, ...plan.filters].join(' ').toLowerCase();
  const isFree = (field: Field) => !field.words.some((word) => taken.includes(word));
  const free = inTurns(fieldsByDataset(graph, datasets).map((fields) => fields.filter(isFree))).map((field) => field.label);
  const overTime = /day|week|month|quarter|year|date/.test(plan.dimensions.join(' ').toLowerCase());
  const month = !overTime && hasTime(graph, datasets) ? ['month'] : [];
  const known = new Set(asked.map((question) => question.trim().toLowerCase()));
  const questions = [...new Set([...month, ...free])].map((by) => `${metric} by ${by}${filterOf(plan)}${windowOf(plan)}`);
  return questions.filter((question) => !known.has(question.toLowerCase())).slice(0, MOST);
}
