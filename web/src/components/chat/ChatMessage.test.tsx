import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DataAgentStreamEvent, Metadata } from '../../api/types';
import { answer, message, SQL_STEP } from '../../test/samples';
import { show, Surroundings } from '../../test/render';
import { RunStore } from '../../utils/runStore';
import { ChatMessage } from './ChatMessage';

const LINEAGE = {
  datasets: ['orders', 'products'], joins: [{ from: 'orders', to: 'products', on: 'product_id' }],
  timeWindow: null, filters: [], grain: 'order-line', rowCount: 1000, truncated: false,
};
const report = (passed: boolean) => ({
  status: passed ? ('passed' as const) : ('failed' as const), passed, diagnosis: '', recommendedTarget: null,
  checks: [{ name: 'Sum', passed, severity: 'fail' as const, message: 'The parts add up' }],
});

describe('ChatMessage', () => {
  it('renders user message (right-aligned, primary color)', () => {
    show(<ChatMessage message={message({ role: 'user', content: 'Why?' })} />);
    expect(screen.getByText('Why?').closest('[data-role=user]')).toHaveStyle({ alignItems: 'flex-end' });
  });

  it('renders assistant message (left-aligned, markdown)', () => {
    show(<ChatMessage message={message({ content: '**Dallas** leads' })} />);
    expect(screen.getByText('Dallas').tagName).toBe('STRONG');
  });

  it('should show verification badge when passed', async () => {
    show(<ChatMessage message={answer({ verificationReport: report(true) })} />);
    await userEvent.click(screen.getByText('Verified'));
    expect(within(screen.getByRole('dialog')).getByText('The parts add up')).toBeInTheDocument();
  });

  it('says that an answer is not verified', () => {
    show(<ChatMessage message={answer({ verificationReport: report(false) })} />);
    expect(screen.getByText('Unverified (see caveats)')).toBeInTheDocument();
  });

  it('does not call an answer verified that was stopped or has failed', () => {
    show(<ChatMessage message={answer({ verificationReport: report(true) }, { status: 'failed' })} />);
    expect(screen.queryByText('Verified')).toBeNull();
  });

  it('should show data lineage', () => {
    show(<ChatMessage message={answer({ dataLineage: LINEAGE })} />);
    expect(screen.getByText(/orders, products/)).toBeInTheDocument();
    expect(screen.getByText(/1,000/)).toBeInTheDocument();
    expect(screen.getByText(/1 join$/)).toBeInTheDocument();
  });

  it('does not count the rows of a check as rows of the answer', () => {
    const check = { ...SQL_STEP, stepId: 2, description: 'Compute the total, to check that the groups add up to it', sqlResult: { ...SQL_STEP.sqlResult!, rowCount: 1 } };
    show(<ChatMessage message={answer({ stepResults: [SQL_STEP, check], dataLineage: { ...LINEAGE, rowCount: 3 } })} />);
    expect(screen.getByText(/Rows: 2 /)).toBeInTheDocument();
  });

  it('renders tool calls in accordions', async () => {
    const toolCalls = [{ phase: 'executor' as const, stepId: 1, name: 'query_database', args: { sql: 'SELECT 42' }, result: '100 rows' }];
    show(<ChatMessage message={answer({ toolCalls })} />);
    await userEvent.click(screen.getByText(/1 tool call$/));
    await userEvent.click(screen.getByText('Analyzed data'));
    expect(screen.getByText('100 rows')).toBeInTheDocument();
  });

  it('shows the rounds of a loop while they run: words, calls, and the words that are being written', async () => {
    const store = new RunStore();
    const wire: DataAgentStreamEvent[] = [
      { type: 'message_chunk', chunk: 'Let me *look*.' },
      { type: 'tool_call', toolCallId: '1', name: 'query_database', args: { sql: 'SELECT city FROM t' } },
      { type: 'tool_call', toolCallId: '2', name: 'run_python', args: { code: 'print(1)' } },
    ];
    wire.forEach((event, i) => store.add(event, i + 1));
    show(<ChatMessage message={message({ status: 'generating', content: '' })} store={store} />);
    act(store.flush);
    expect(screen.getByRole('note', { name: 'Thinking' })).toHaveTextContent('Let me look.');
    expect(screen.getAllByLabelText('Running')).toHaveLength(2);
    expect(screen.getByRole('button', { name: /Analyzed data\s*t\s*SELECT city FROM t/ })).toHaveAttribute('aria-expanded', 'false');
    act(() => {
      store.add({ type: 'tool_result', toolCallId: '1', name: 'query_database', result: '| Dallas |' }, 4);
      store.add({ type: 'tool_result', toolCallId: '2', name: 'run_python', result: 'No', error: 'NameError: x' }, 5);
      store.add({ type: 'token_update', tokensUsed: { prompt: 1, completion: 1, total: 2 } }, 6);
      store.add({ type: 'message_chunk', chunk: 'Dallas leads' }, 7);
      store.flush();
    });
    expect(await screen.findByText('Dallas leads')).toBeInTheDocument();
    expect(screen.queryByLabelText('Running')).toBeNull();
    expect(screen.getByTitle('Done')).toBeInTheDocument();
    expect(screen.getByTitle('Failed')).toBeInTheDocument();
    await userEvent.click(screen.getByText('Ran Python analysis'));
    expect(screen.getByText('NameError: x')).toBeInTheDocument();
    expect(screen.getByRole('group', { name: 'Python' })).toHaveTextContent('print(1)');
  });

  const loopCalls = (n: number) => Array.from({ length: n }, (_, i) => (
    { toolCallId: String(i), name: 'query_database', args: { sql: `SELECT ${i}` }, result: `result ${i}` }));

  it('has the calls of a loop afterwards, folded, before the text', async () => {
    show(<ChatMessage message={answer({ toolCalls: loopCalls(2) as unknown as Metadata['toolCalls'] })} />);
    const calls = screen.getAllByRole('button', { name: /Analyzed data/ });
    expect(calls).toHaveLength(2);
    expect(calls[1]!.compareDocumentPosition(screen.getByText('An answer'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByText('result 0')).toBeNull();
    expect(screen.queryByTitle('Done')).toBeNull(); // the metadata do not say whether a call succeeded
    await userEvent.click(calls[0]!);
    expect(screen.getByText('result 0')).toBeInTheDocument();
  });

  it('folds many calls of a loop into one line', async () => {
    show(<ChatMessage message={answer({ toolCalls: loopCalls(15) as unknown as Metadata['toolCalls'] })} />);
    expect(screen.queryByRole('button', { name: /Analyzed data/ })).toBeNull();
    await userEvent.click(screen.getByText('15 tool calls'));
    expect(screen.getAllByRole('button', { name: /Analyzed data/ })).toHaveLength(15);
  });

  it('renders syntax-highlighted code', () => {
    const { container } = show(<ChatMessage message={message({ content: '```sql\nSELECT city FROM t\n```' })} />);
    expect(container.querySelector('pre .token.keyword')).toHaveTextContent('SELECT');
  });

  it('renders tables', () => {
    show(<ChatMessage message={message({ content: '| a | b |\n|---|---|\n| 1 | 2 |' })} />);
    expect(screen.getByRole('cell', { name: '2' }).closest('table')).toBe(screen.getByRole('table'));
  });

  it('renders base64 images, and none from elsewhere', () => {
    const own = 'data:image/png;base64,iVBORw0KGgo=';
    show(<ChatMessage message={message({ content: `![own](${own}) ![spy](https://example.com/a.png)` })} />);
    expect(screen.getAllByRole('img').map((img) => img.getAttribute('src'))).toEqual([own]);
  });

  it('never takes the text of a model for HTML', () => {
    const { container } = show(
      <ChatMessage message={message({ content: '<img src=x onerror=alert(1)> <script>1</script> [x](javascript:alert(1))' })} />,
    );
    expect(container.querySelector('script, img, a[href^=javascript]')).toBeNull();
  });

  it('opens links apart, without a hold on this page', () => {
    show(<ChatMessage message={message({ content: '[there](https://example.com)' })} />);
    expect(screen.getByRole('link', { name: 'there' })).toHaveAttribute('rel', expect.stringContaining('noopener'));
  });

  it('shows loading indicator for generating status', () => {
    show(<ChatMessage message={message({ status: 'generating', content: '' })} store={new RunStore()} />);
    expect(screen.getByLabelText('Generating the answer')).toBeInTheDocument();
  });

  it('says why it failed, and tries again', async () => {
    const again = vi.fn();
    const error = { message: 'The model is away', code: 'MODEL_UNAVAILABLE' };
    show(<ChatMessage message={answer({ error }, { status: 'failed' })} onRegenerate={again} />);
    expect(screen.getByText('The model is away')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(again).toHaveBeenCalledOnce();
  });

  it('says in which phase it failed, what to do, and under which id to look', () => {
    const error = { message: 'vendor: 529 overloaded_error', code: 'MODEL_UNAVAILABLE' };
    const plan = { steps: [{ id: 1, description: 'x' }], metrics: [] } as unknown as Metadata['plan'];
    const { rerender } = show(<ChatMessage message={answer({ error, plan }, { status: 'failed', id: 'r-1' })} />);
    expect(screen.getByText('This answer failed in the phase Navigator')).toBeInTheDocument();
    expect(screen.getByText('vendor: 529 overloaded_error')).toBeInTheDocument();
    expect(screen.getByText(/choose another model/)).toBeInTheDocument();
    expect(screen.getByText(/run r-1/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Show what happened' })).toBeInTheDocument();
    rerender(<Surroundings><ChatMessage message={answer({ error }, { status: 'failed' })} /></Surroundings>);
    expect(screen.getByText('This answer failed')).toBeInTheDocument();
  });

  it('shows the queries in the place of a text when none of them succeeded', () => {
    const failed = { stepId: 1, description: 'Revenue', strategy: 'sql', error: 'column "revenu" does not exist', sqlResult: null } as unknown as typeof SQL_STEP;
    const querySpecs = [{ stepId: 1, fullSql: 'SELECT revenu FROM sales' }] as Metadata['querySpecs'];
    const { rerender } = show(<ChatMessage message={answer({ stepResults: [failed], querySpecs }, { content: 'Revenue was 5.' })} />);
    expect(screen.queryByText('Revenue was 5.')).toBeNull();
    expect(screen.getByText('column "revenu" does not exist')).toBeInTheDocument();
    expect(screen.getByRole('group', { name: 'SQL' })).toHaveTextContent('SELECT revenu FROM sales');
    rerender(<Surroundings><ChatMessage message={answer({ stepResults: [failed, SQL_STEP], querySpecs }, { content: 'Revenue was 5.' })} /></Surroundings>);
    expect(screen.getByText('Revenue was 5.')).toBeInTheDocument();
  });

  it('shows the chart before the text if the question asks for one', async () => {
    const message = answer({ stepResults: [SQL_STEP] });
    show(<ChatMessage message={message} question="a bar chart of revenue by city" />);
    expect(screen.getByRole('tab', { name: 'Chart' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tab', { name: 'Chart' }).compareDocumentPosition(screen.getByText('An answer'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('shows what happens now: the phase, the datasets and the first rows, until the text begins', async () => {
    const store = new RunStore();
    const wire = [
      { type: 'discovery_complete', matchedDatasets: [{ name: 'orders', score: 0.82 }] },
      { type: 'phase_start', phase: 'executor', description: 'Runs the queries' },
      { type: 'step_start', stepId: 1, description: 'Revenue by city', strategy: 'sql' },
      { type: 'tool_end', phase: 'executor', stepId: 1, name: 'query_database', result: '| city |\n|---|\n| Dallas |\n\n(1 rows, 2ms)' },
    ] as unknown as DataAgentStreamEvent[];
    wire.forEach((event, i) => store.add(event, i + 1));
    show(<ChatMessage message={message({ status: 'generating', content: '' })} store={store} />);
    act(store.flush);
    expect(await screen.findByRole('cell', { name: 'Dallas' })).toBeInTheDocument();
    expect(screen.getByText('orders 0.82')).toBeInTheDocument();
    expect(screen.getByText(/Runs the queries/)).toBeInTheDocument();
    act(() => {
      store.add({ type: 'message_chunk', chunk: 'Dallas leads' }, 9);
      store.flush();
    });
    expect(await screen.findByText('Dallas leads')).toBeInTheDocument();
    expect(screen.queryByRole('cell', { name: 'Dallas' })).toBeNull();
  });

  it('shows the rows of a step with every digit, and its SQL', async () => {
    show(<ChatMessage message={answer({ stepResults: [SQL_STEP] })} />);
    await userEvent.click(screen.getByRole('tab', { name: 'SQL' }));
    expect(screen.getByRole('group', { name: 'SQL' })).toHaveTextContent('SELECT city, sum(revenue)');
  });
});
