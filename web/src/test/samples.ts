import type { Chat, DataChatMessage, Dataset, DatasetTable, Metadata } from '../api/types';

export const CHAT_ID = '10000000-0000-4000-8000-000000000000';
const T = '2026-01-01T00:00:00.000Z';

export function message(part: Partial<DataChatMessage> = {}): DataChatMessage {
  return {
    id: '20000000-0000-4000-8000-000000000001',
    chatId: CHAT_ID,
    parentId: null,
    role: 'assistant',
    content: 'An answer',
    metadata: null,
    status: 'complete',
    createdAt: T,
    ...part,
  };
}

export function answer(metadata: Partial<Metadata>, part: Partial<DataChatMessage> = {}): DataChatMessage {
  return message({ metadata: metadata as Metadata, ...part });
}

export function chat(part: Partial<Chat> = {}): Chat {
  return {
    id: CHAT_ID,
    name: 'Revenue by city',
    ontologyId: '30000000-0000-4000-8000-000000000000',
    ownerId: '00000000-0000-4000-8000-000000000001',
    llmProvider: null,
    agent: 'pipeline',
    createdAt: T,
    updatedAt: new Date().toISOString(),
    ontology: { id: '30000000-0000-4000-8000-000000000000', name: 'retail', status: 'ready', datasetCount: 12 },
    messageCount: 0,
    pinned: false,
    archived: false,
    messages: [],
    ...part,
  };
}

export const SQL_STEP = {
  stepId: 1,
  description: 'Revenue by city',
  strategy: 'sql' as const,
  sqlResult: {
    rowCount: 2,
    columns: ['city', 'revenue'],
    columnTypes: ['text', 'numeric'],
    data: '[{"city":"Dallas","revenue":"12345678901234567890.10"},{"city":"Houston","revenue":"2.5"}]',
    truncated: false,
    valuesCut: false,
    elapsedMs: 4,
    sql: 'SELECT city, sum(revenue) AS revenue FROM sales GROUP BY city',
  },
} as unknown as NonNullable<Metadata['stepResults']>[number];

export function dataset(part: Partial<Dataset> = {}): Dataset {
  return {
    id: 'd1', name: 'orders', description: null, prompts: [], version_hash: null, status: 'ready', failure: null,
    owner_id: 'u1', connection_id: 'c1', semantic_model_id: 's1', ontology_id: 'o1', file_count: 1, bytes: 12, rows: 2,
    created_at: T, updated_at: T,
    ...part,
  };
}

export function datasetTable(part: Partial<DatasetTable> = {}): DatasetTable {
  return {
    name: 'orders.csv', table_name: 'orders', sheet: null, format: 'csv', bytes: 12, rows: 2, schema: { city: 'text' },
    columns: [{ name: 'city', type: 'text', nulls: 1, distinct: 1, min: 'Austin', max: 'Austin' }],
    sample_rows: [{ city: 'Austin' }, { city: null }],
    notes: [],
    ...part,
  };
}
