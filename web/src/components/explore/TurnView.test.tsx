import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { QueryShown, Turn } from '../../hooks/useExploration';
import { BEGUN, ownQueries, type Call, type Exploration, type Progress } from '../../utils/exploration';
import { TurnView } from './TurnView';

const call = (id: string, tool: string, input: object, output: unknown = { success: true }): Call => ({ id, tool, input: { ...input }, state: 'done', error: null, output });
const checked = (id: string, finding: string, passed: boolean, message: string) =>
  call(id, 'validateAnalysis', { finding, relatedQuery: 'SELECT a FROM t_parsed' },
    { success: true, data: { finding, passed, confidence: passed ? 'high' : 'low', checks: [{ name: 'significance', passed, severity: 'fail', message }] } });
const found = (more: Partial<Exploration> = {}): Exploration => ({
  status: 'exploration_complete', summary: 'It differs.\n\n- North leads', insights: ['North leads', 'Costs fall'],
  executedQueries: [], charts: [], metadata: { stepCount: 1, tokensUsed: 0, durationMs: 1 }, ...more,
});
const progress: Progress = {
  ...BEGUN, state: 'done', found: found(),
  steps: [{ text: '', calls: [
    call('q', 'executeSQLQuery', { reason: 'Compare' }), call('c', 'createVisualization', { title: 'A chart' }), call('p', 'profileData', {}),
    checked('v', 'Costs fall', true, 'Hardly by chance.'), checked('w', 'Price is the cause', false, 'Chance alone may explain it.'),
  ] }],
};

function show(change: Partial<Turn> = {}) {
  const turn: Turn = { id: 't', question: 'Why?', share: 'aggregates', progress, connection: 'open', report: null, ...change };
  const acts = { onStop: vi.fn(), onAgain: vi.fn(), onReport: vi.fn(), onFollowUp: vi.fn(), onStartOver: vi.fn() };
  render(<TurnView turn={turn} shown={new Map<string, QueryShown[]>()} columns={[]} reveal={(text) => text} busy={false} last fileName="a.csv" {...acts} />);
  return acts;
}

it('says of each finding how its check ended, and repeats nothing of the summary', () => {
  show();
  const findings = within(screen.getByRole('region', { name: 'Findings: Why?' }));
  const [first, second] = findings.getAllByRole('listitem');
  expect(first).toHaveTextContent('Costs fall');
  expect(within(first!).getByTitle('Passed')).toBeInTheDocument();
  expect(second).toHaveTextContent('Price is the causeNot confirmed. Chance alone may explain it.');
  expect(within(second!).getByTitle('Failed')).toBeInTheDocument();
  expect(findings.queryByText('North leads')).toBeNull();
  // The answer comes first.
  const summary = screen.getByRole('region', { name: 'Summary: Why?' });
  expect(summary.compareDocumentPosition(screen.getByRole('region', { name: 'Findings: Why?' }))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('asks a question that failed again, and offers no report about nothing', async () => {
  const acts = show({ progress: { ...BEGUN, steps: [{ text: 'I look at it.', calls: [] }], state: 'failed', error: 'It took too long.', found: found({ status: 'error', summary: '', insights: [] }) } });
  expect(screen.queryByRole('button', { name: /report/ })).toBeNull();
  expect(screen.queryByRole('region', { name: /Summary/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Ask again' }));
  expect(acts.onAgain).toHaveBeenCalledWith('Why?');
});

it('is stopped where its progress is shown', async () => {
  const acts = show({ progress: { ...BEGUN, steps: progress.steps } });
  expect(screen.queryByRole('region', { name: /Findings/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(acts.onStop).toHaveBeenCalled();
});

it('lists the model\'s own queries once', () => {
  expect(ownQueries(progress, (id) => (id === 'p' ? 'SELECT profile' : id === 'v' ? 'WITH built BY server' : 'SELECT a FROM t_parsed'), (text) => text)).toEqual([
    { sql: 'SELECT a FROM t_parsed', reason: 'Compare; A chart; Costs fall; Price is the cause' },
  ]);
});
