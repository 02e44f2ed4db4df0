import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { show } from '../../test/render';
import { SQL_STEP } from '../../test/samples';
import type { Rows } from '../../utils/rows';
import ResultGrid from './ResultGrid';
import { StepEvidence } from './StepEvidence';

const server = setupServer();

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function rows(count: number): Rows {
  const columns = [{ name: 'n', type: 'int8', kind: 'number' as const }, { name: 'word', type: 'text', kind: 'text' as const }];
  return { columns, rows: Array.from({ length: count }, (_, i) => ({ n: String(i), word: i % 2 ? 'odd' : 'even' })), total: count, truncated: false };
}

const drawn = () => within(screen.getByRole('table')).getAllByRole('row').slice(1).map((row) => row.textContent);

const CUT = { ...SQL_STEP, sqlResult: { ...SQL_STEP.sqlResult!, rowCount: 1000, truncated: true } };

describe('ResultGrid', () => {
  it('draws few of many rows and says how many there are', () => {
    show(<ResultGrid rows={rows(10_000)} label="All" />);
    expect(screen.getByText('10,000 rows')).toBeInTheDocument();
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
    expect(drawn().length).toBeLessThan(100);
  });

  it('tells a cell without a value from an empty text', () => {
    const { columns } = rows(0);
    show(<ResultGrid rows={{ columns, rows: [{ n: '1', word: null }, { n: null, word: '' }], total: 2, truncated: false }} label="All" />);
    expect(drawn()).toEqual(['1(empty)', '(empty)']);
  });

  it('sorts up, down, and back', async () => {
    show(<ResultGrid rows={rows(20)} label="All" />);
    const header = screen.getByRole('button', { name: 'word' });
    await userEvent.click(header);
    expect(drawn()[0]).toBe('0even');
    await userEvent.click(header);
    expect(drawn()[0]).toBe('1odd');
    await userEvent.click(header);
    expect(drawn().slice(0, 2)).toEqual(['0even', '1odd']);
  });

  it('filters, and says how many match', async () => {
    show(<ResultGrid rows={rows(20)} label="All" />);
    await userEvent.type(screen.getByRole('searchbox'), '> 17');
    expect(await screen.findByText('20 rows; 2 of them match')).toBeInTheDocument();
    expect(drawn()).toEqual(['18even', '19odd']);
  });

  it('loads the rows that did not come with the answer', async () => {
    const asked: string[] = [];
    server.use(http.get('*/api/data-agent/messages/m/steps/1/export', ({ request }) => {
      asked.push(new URL(request.url).search);
      const all = Array.from({ length: 1500 }, (_, i) => [`city ${i}`, `${i}.50`]);
      return HttpResponse.json({ columns: ['city', 'revenue'], columnTypes: ['text', 'numeric'], rows: all },
        { headers: { 'X-Max-Rows': '10001' } });
    }));
    show(<StepEvidence step={CUT} messageId="m" />);
    expect(await screen.findByText(/^2 of 1,000\+ rows/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Load all rows' }));
    expect(await screen.findByText(/^1,500 rows/)).toHaveTextContent(/Read again at/);
    expect(screen.getByRole('cell', { name: '1.50' })).toBeInTheDocument();
    expect(asked).toEqual(['?format=json&rows=10001']);
  });

  it('shows the totals that the server computed over all rows of a cut result', async () => {
    const totals = [{ name: '*', sum: '2345' }, { name: 'revenue', sum: '617085.20' }];
    show(<StepEvidence step={{ ...CUT, sqlResult: { ...CUT.sqlResult, totals } }} />);
    expect(await screen.findByText(/^2 of 2,345 rows/)).toBeInTheDocument();
    expect(screen.getByText('Total of all 2,345 rows: revenue 617,085.20')).toBeInTheDocument();
  });

  it.each(['sort', 'filter', 'chart'])('reads all rows for a %s', async (use) => {
    server.use(http.get('*/api/data-agent/messages/m/steps/1/export', () =>
      HttpResponse.json({ columns: ['city', 'revenue'], columnTypes: ['text', 'numeric'], rows: Array.from({ length: 20 }, (_, i) => [`city ${i}`, `${i}`]) })));
    const data = JSON.stringify(Array.from({ length: 6 }, (_, i) => ({ city: `city ${i}`, revenue: `${i}` })));
    show(<StepEvidence step={{ ...CUT, sqlResult: { ...CUT.sqlResult, data, rowCount: 20, truncated: false } }} messageId="m" />);
    expect(await screen.findByText(/^6 of 20 rows/)).toBeInTheDocument();
    if (use === 'sort') {
      await userEvent.click(screen.getByRole('button', { name: 'revenue' }));
      await userEvent.click(screen.getByRole('button', { name: 'revenue' }));
      await vi.waitFor(() => expect(drawn()[0]).toBe('city 1919'), 10_000);
    }
    if (use === 'filter') {
      await userEvent.type(screen.getByRole('searchbox'), 'city 19');
      expect(await screen.findByText(/^20 rows; 1 of them match/)).toBeInTheDocument();
    }
    if (use === 'chart') {
      await userEvent.click(screen.getByRole('tab', { name: 'Chart' }));
      expect(await screen.findByText(/Drawn from 20 rows, read again at/)).toBeInTheDocument();
    }
  });

  it('saves the rows that the code of the last step returned', async () => {
    const asked: string[] = [];
    server.use(http.get('*/runs/m/export', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.text('a\n1\n');
    }));
    const python = { code: 'result_df = …', stdout: '{"columns":["a"],"rows":[[1]],"row_count":1,"truncated":false}', stderr: '', charts: [] };
    const step = { stepId: 1, strategy: 'python' as const, pythonResult: python };
    const { unmount } = show(<StepEvidence step={step} messageId="m" />);
    expect(screen.queryByRole('button', { name: 'CSV' })).toBeNull();
    unmount();
    show(<StepEvidence step={step} messageId="m" isLast />);
    await userEvent.click(screen.getByRole('button', { name: 'CSV' }));
    await waitFor(() => expect(asked).toEqual(['?format=csv']));
  });

  it('says why the other rows did not come', async () => {
    server.use(http.get('*/api/data-agent/messages/m/steps/1/export', () =>
      HttpResponse.json({ statusCode: 409, code: 'CONFLICT', message: 'The query no longer runs', requestId: 'r' }, { status: 409 })));
    show(<StepEvidence step={CUT} messageId="m" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Load all rows' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The query no longer runs');
    expect(screen.getByText(/^2 of 1,000\+ rows/)).toBeInTheDocument();
  });
});
