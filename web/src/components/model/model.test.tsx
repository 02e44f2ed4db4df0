import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys';
import type { ModelDetails, ModelEdits, ModelMetric, ModelParts } from '../../api/types';
import { useModelChange, useModelParts } from '../../hooks/useModel';
import { show } from '../../test/render';
import { DatasetCard } from './DatasetCard';
import { evidenceOf } from './Evidence';
import { Metrics } from './Metrics';
import { mentions } from './ModelGraph';
import { valueText } from './Preview';
import { choiceOf } from './TermDialog';
import { Versions } from './Versions';

const WORDS = { label: null, description: null, instructions: null, synonyms: [], hidden: false };
const METRIC: ModelMetric = { ...WORDS, name: 'revenue', expression: 'sum(orders.total)', datatype: null, synonyms: ['sales'], datasets: ['orders'] };
const PARTS: ModelParts = {
  description: null, instructions: null, synonyms: [], examples: [],
  datasets: [{
    ...WORDS, name: 'orders', source: 'public.orders', primaryKey: ['id'],
    fields: [{ ...WORDS, name: 'total', expression: 'total', column: 'total', datatype: 'Decimal', isKey: false, isTime: false, synonyms: ['amount'] }],
  }],
  relationships: [], metrics: [METRIC],
};

let details: ModelDetails;
let sent: ModelEdits[];
const server = setupServer(
  http.get('*/api/semantic-models/m/parts', () => HttpResponse.json({ data: details })),
  http.post('*/api/semantic-models/m/edits', async ({ request }) => {
    const body = (await request.json()) as ModelEdits;
    sent.push(body);
    if (body.version !== details.version)
      return HttpResponse.json({ statusCode: 409, code: 'CONFLICT', message: 'The model was changed meanwhile.' }, { status: 409 });
    details = { ...details, version: details.version + 1 };
    return HttpResponse.json({ data: { ...details, saved: true, changes: [], rewritten: false, warnings: [] } });
  }),
  http.post('*/api/semantic-models/m/preview', async ({ request }) => {
    const { expression } = (await request.json()) as { expression: string };
    const data = expression.startsWith('sum(') ? { value: '1234567.50', type: 'numeric', elapsedMs: 3, sql: 'select 1', warnings: [] } : { problem: 'It is no aggregate.' };
    return HttpResponse.json({ data });
  }),
  http.get('*/api/semantic-models/m/versions', () => HttpResponse.json({ data: { items: [
    { version: 2, author: 'Ann', changes: ['orders is hidden'], restores: null, createdAt: '2026-01-02T00:00:00.000Z' },
    { version: 1, author: 'Ann', changes: [], restores: null, createdAt: '2026-01-01T00:00:00.000Z' },
  ], pagination: { totalPages: 1 }, meta: { totalPages: 1 } } })),
  http.get('*/api/semantic-models/m/versions/2', () => HttpResponse.json({ data: {
    version: 2, author: 'Ann', changes: [], restores: null, createdAt: '2026-01-02T00:00:00.000Z', yaml: 'a\nhidden: true', previousYaml: 'a\nb',
  } })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  details = { version: 2, parts: PARTS, editable: true };
  sent = [];
});
afterAll(() => server.close());

/** The parts of the model, as the page shows them. */
function Shown({ what }: { what: 'dataset' | 'metrics' | 'versions' }) {
  const model = useModelParts('m');
  const change = useModelChange('m');
  useQuery({ queryKey: keys.ontologies, queryFn: () => [], enabled: false });
  if (!model.data) return null;
  const editor = model.data.editable ? change : undefined;
  if (what === 'metrics') return <Metrics modelId="m" metrics={model.data.parts.metrics} editor={editor} />;
  if (what === 'versions') return <Versions modelId="m" current={model.data.version} editor={editor} />;
  return <DatasetCard dataset={model.data.parts.datasets[0]!} editor={editor} open />;
}

describe('the editor of a model', () => {
  it('sends one change, from the version that is shown', async () => {
    show(<Shown what="dataset" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit: Label of orders' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Label of orders' }), 'Sales{Enter}');
    await waitFor(() => expect(sent).toEqual([
      { version: 2, edits: [{ op: 'set', kind: 'dataset', name: 'orders', values: { label: 'Sales' } }] },
    ]));
    expect(await screen.findByRole('button', { name: 'Edit: Label of orders' })).toBeInTheDocument();
  });

  it('says why an edit was refused, keeps it, and leaves it on Esc', async () => {
    show(<Shown what="dataset" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit: Synonyms of orders.total' }));
    details = { ...details, version: 7 };
    await userEvent.type(screen.getByRole('textbox', { name: 'Synonyms of orders.total' }), ', sum{Enter}');
    expect(await screen.findByText('The model was changed meanwhile.')).toBeInTheDocument();
    expect(screen.getByRole('textbox')).toHaveValue('amount, sum');
    expect(sent[0]!.edits![0]!.values).toEqual({ synonyms: ['amount', 'sum'] });
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it('hides a field', async () => {
    show(<Shown what="dataset" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Hide orders.total' }));
    await waitFor(() => expect(sent[0]?.edits).toEqual([
      { op: 'set', kind: 'field', dataset: 'orders', name: 'total', values: { hidden: true } },
    ]));
  });

  it('shows a model that may not be changed without any control', async () => {
    details = { ...details, editable: false };
    show(<Shown what="dataset" />);
    await screen.findByText('public.orders');
    expect(screen.queryByRole('button', { name: /^(Edit|Hide)/ })).not.toBeInTheDocument();
  });

  it('shows the value of a metric while its expression is written', async () => {
    show(<Shown what="metrics" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit revenue' }));
    const now = () => within(screen.getByRole('status', { name: 'Value now' }));
    expect(await now().findByText('1,234,567.50', {}, { timeout: 3000 })).toBeInTheDocument();
    const expression = screen.getByRole('textbox', { name: /Expression/ });
    await userEvent.clear(expression);
    await userEvent.type(expression, 'orders.total');
    expect(await now().findByText('It is no aggregate.', {}, { timeout: 3000 })).toBeInTheDocument();
  });

  it('lists versions, shows the lines of one, and restores one', async () => {
    show(<Shown what="versions" />);
    expect(await screen.findByText('orders is hidden')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Lines of version 2' }));
    expect(await screen.findByText('hidden: true')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Restore version 1' }));
    await waitFor(() => expect(sent).toEqual([{ version: 2, restore: 1 }]));
  });
});

describe('Undo of a removed metric', () => {
  const values = { name: 'revenue', expression: 'sum(orders.total)', synonyms: ['sales'] };
  const remove = async () => {
    const { unmount } = show(<Shown what="metrics" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove revenue' }));
    await screen.findByText('"revenue" removed');
    sent = [];
    return unmount;
  };

  it('restores the version before, with its layout and comments', async () => {
    await remove();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent).toEqual([{ version: 3, restore: 2 }]));
  });

  it('adds the metric again, and keeps what was edited meanwhile', async () => {
    await remove();
    await userEvent.click(screen.getByRole('button', { name: 'New metric' }));
    await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'later');
    await userEvent.type(screen.getByRole('textbox', { name: /^Expression/ }), 'sum(orders.total)');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ version: 4, edits: [{ op: 'add', kind: 'metric', values }] });
  });

  it('adds it also to a version of somebody else', async () => {
    await remove();
    details = { ...details, version: 9 };
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ version: 9, edits: [{ op: 'add', kind: 'metric', values }] });
  });
});

describe('what the data says', () => {
  it('writes numbers with separators and leaves texts as they are', () => {
    expect(valueText({ value: '-1234567.05', type: 'numeric' })).toBe('-1,234,567.05');
    expect(valueText({ value: '20250101', type: 'text' })).toBe('20250101');
    expect(valueText({ value: null, type: 'int8' })).toBe('no value (NULL)');
  });

  it('says whether a relationship holds', () => {
    const ends = { from: 'orders', to: 'stores', fromColumns: ['a'], toColumns: ['b'] };
    const counts = { rowsRead: 1000, rowsWithKey: 1000, rowsMatched: 1000, oneRows: 10, oneKeys: 10, oneSideUnique: true, sampled: false };
    expect(evidenceOf(counts, ends).good).toBe(true);
    const worse = evidenceOf({ ...counts, rowsMatched: 500, oneKeys: 4, oneSideUnique: false }, ends);
    expect(worse.good).toBe(false);
    expect(worse.lines).toEqual([
      'Of 1,000 rows of orders, 500 have a row of stores (50.0 %).',
      'The 10 rows of stores have only 4 different values: a join repeats rows of orders.',
    ]);
  });
});

describe('a word of a question', () => {
  it('is taken from one metric and given to another', () => {
    const other = { ...METRIC, name: 'completed', synonyms: [] };
    expect(choiceOf('sales', METRIC, other)).toEqual([
      { op: 'set', kind: 'metric', name: 'revenue', values: { synonyms: [] } },
      { op: 'set', kind: 'metric', name: 'completed', values: { synonyms: ['sales'] } },
    ]);
  });

  it('is found in the fields of a dataset', () => {
    expect(mentions(PARTS.datasets[0]!, 'AMOUNT')).toBe(true);
    expect(mentions(PARTS.datasets[0]!, 'price')).toBe(false);
    expect(mentions(PARTS.datasets[0]!, ' ')).toBe(false);
  });
});
