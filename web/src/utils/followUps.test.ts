import type { OntologyGraph, Plan } from '../api/types';
import { followUps } from './followUps';

const field = (id: string, name: string, more: object = {}) => ({
  id, label: 'Field', name, properties: { label: name, dataType: 'String', isTime: false, isPrimaryKey: false, synonyms: [], ...more },
});
const dataset = (id: string, name: string) => ({ id, label: 'Dataset', name, properties: {} });
const edge = (source: string, target: string, type: string) => ({ id: `${source}${target}`, source, target, type, properties: {} });

const graph = {
  nodes: [
    dataset('d0', 'stores'), field('f0', 'city', { synonyms: ['town'] }), field('f1', 'region'), field('f2', 'store_name'),
    dataset('d1', 'orders'), field('f3', 'order_date', { dataType: 'Date', isTime: true }), field('f4', 'order_id', { isPrimaryKey: true }),
    dataset('d2', 'customers'), field('f5', 'segment'),
    dataset('d3', 'stockouts'), field('f6', 'reason'),
  ],
  edges: [
    edge('d0', 'f0', 'HAS_FIELD'), edge('d0', 'f1', 'HAS_FIELD'), edge('d0', 'f2', 'HAS_FIELD'),
    edge('d1', 'f3', 'HAS_FIELD'), edge('d1', 'f4', 'HAS_FIELD'), edge('d2', 'f5', 'HAS_FIELD'), edge('d3', 'f6', 'HAS_FIELD'),
    edge('d1', 'd0', 'RELATES_TO'), edge('d1', 'd2', 'RELATES_TO'), edge('d3', 'd0', 'RELATES_TO'),
  ],
} as unknown as OntologyGraph;

const plan = (part: Partial<Plan> = {}): Plan => ({
  complexity: 'analytical', intent: '', metrics: ['revenue'], dimensions: ['city'], timeWindow: null, period: null, filters: [],
  grain: null,
  ambiguities: [], acceptanceChecks: [], shouldClarify: false, clarificationQuestions: [], answers: [], steps: [], ...part,
});

const ask = (part: Partial<Plan> = {}, asked: string[] = []) => followUps(plan(part), ['stores', 'orders'], graph, asked);

describe('followUps', () => {
  it('breaks the same measure down by something else, not against a join', () => {
    expect(ask()).toEqual(['revenue by month', 'revenue by region', 'revenue by segment']);
  });

  it('keeps the period and the restriction', () => {
    expect(ask({ timeWindow: '2025-01-01 to 2025-12-31', filters: ['stores.region is Gulf Coast'] })[0])
      .toBe('revenue by month for Gulf Coast in 2025');
  });

  it('knows a dimension by its other names, and what was asked', () => {
    expect(ask({ dimensions: ['town', 'month'] }, ['Revenue by region'])).toEqual(['revenue by segment']);
  });

  it('has nothing to add to talk', () => {
    expect(ask({ complexity: 'conversational' })).toEqual([]);
    expect(ask({ metrics: [] })).toEqual([]);
  });
});
