import { describe, expect, it } from 'vitest';
import type { SqlPlanNode } from '../api/sql';
import type { LlmTrace, OntologyGraph } from '../api/types';
import { fileNameOf, slugOf } from './fileNames';
import { namesOf, offsetOf, tableName } from './sqlCompletion';
import { ownCosts } from './sqlPlan';
import { curlOf } from './traceCurl';
import { cardOfTrace, searchCards, spanOf } from './traces';

const graph = {
  nodes: [
    { id: 'd0', label: 'Dataset', name: 'orders', properties: { source: 'public.orders' } },
    { id: 'd0f0', label: 'Field', name: 'total', properties: { expression: 'total', dataType: 'numeric' } },
    { id: 'd0f1', label: 'Field', name: 'month', properties: { expression: "date_trunc('month', at)" } },
    { id: 'd1', label: 'Dataset', name: 'lines', properties: { source: 'sales.Order Lines' } },
  ],
  edges: [
    { id: 'e0', source: 'd0', target: 'd0f0', type: 'HAS_FIELD', properties: {} },
    { id: 'e1', source: 'd0', target: 'd0f1', type: 'HAS_FIELD', properties: {} },
  ],
  metrics: [{ name: 'revenue', expression: 'sum(total)', synonyms: [] }, { name: 'vague', synonyms: [] }],
} as unknown as OntologyGraph;

describe('completion', () => {
  it('names tables as a query does', () => {
    expect(tableName('public.orders')).toBe('orders');
    expect(tableName('shop.sales.Order Lines')).toBe('sales."Order Lines"');
    expect(tableName('(select 1)')).toBeNull();
    expect(Object.keys(namesOf(graph).tables)).toEqual(['orders', 'sales."Order Lines"']);
  });
  it('offers fields with types, metrics expanded, functions', () => {
    const { tables, offers } = namesOf(graph, ['date_trunc']);
    expect(tables.orders).toMatchObject([{ label: 'total', detail: 'numeric' }, { label: 'month', apply: "(date_trunc('month', at))" }]);
    expect(offers.find(({ type }) => type === 'metric')).toMatchObject({ label: 'revenue', apply: 'sum(total) as revenue' });
    expect(offers.filter(({ type }) => type === 'metric')).toHaveLength(1);
    expect(offers.find(({ type }) => type === 'function')?.apply).toBe('date_trunc(');
  });
  it('counts code points, as the server does', () => {
    expect(offsetOf("select '😀', x", 13)).toBe("select '😀', x".indexOf('x'));
    expect(offsetOf('ab', 0)).toBe(0);
  });
});

it('names files after the question', () => {
  expect(slugOf(' Revenue by city, 2025? ')).toBe('revenue-by-city-2025');
  expect(slugOf('Umsätze')).toBe('umsatze');
  expect(fileNameOf('???', 'step-1', 'csv')).toBe('step-1.csv');
  const long = slugOf('word '.repeat(40));
  expect(long.length).toBeLessThanOrEqual(60);
  expect(long).toMatch(/^(?:word-)*word$/);
});

it('separates the costs of a step from those below it', () => {
  const leaf = { cost: 10, children: [] as SqlPlanNode[] } as unknown as SqlPlanNode;
  expect(ownCosts({ ...leaf, cost: 25, children: [leaf, leaf] })).toBe(5);
  expect(ownCosts({ ...leaf, cost: 3, children: [leaf] })).toBe(0);
  expect(ownCosts({ ...leaf, cost: null })).toBeNull();
});

const trace = (id: string, from: number, to: number, more: Partial<LlmTrace> = {}): LlmTrace => ({
  id, phase: 'planner', purpose: 'plan', provider: 'openai', model: 'gpt', promptMessages: [{ type: 'system', content: "it's secret-free" }, { type: 'human', content: id }],
  startedAt: new Date(from).toISOString(), completedAt: new Date(to).toISOString(), temperature: 0, error: null, totalTokens: 1, durationMs: to - from, responseContent: '', ...more,
} as unknown as LlmTrace);

describe('traces', () => {
  it('become commands of a shell, without a key', () => {
    const text = curlOf(trace('a', 0, 1));
    expect(text).toContain('Authorization: Bearer $OPENAI_API_KEY');
    expect(text).toContain(`it'\\''s secret-free`);
    expect(curlOf(trace('a', 0, 1, { provider: 'anthropic' }))).toContain('x-api-key: $ANTHROPIC_API_KEY');
  });
  it('are found by their texts, and placed in time', () => {
    const cards = [trace('alpha', 0, 1000), trace('beta', 1000, 4000)].map(cardOfTrace);
    expect(searchCards(cards, 'BETA plan').map(({ key }) => key)).toEqual(['beta']);
    expect(searchCards(cards, ' ')).toHaveLength(2);
    expect(spanOf(cards[1]!, cards)).toEqual({ from: 0.25, share: 0.75 });
    expect(spanOf(cards[0]!, [cards[0]!])).toBeNull();
  });
});
