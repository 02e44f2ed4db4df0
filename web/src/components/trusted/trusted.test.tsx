import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { keys } from '../../api/keys';
import type { TrustedAnswer } from '../../api/types';
import { answer, CHAT_ID, SQL_STEP } from '../../test/samples';
import { ME, show } from '../../test/render';
import { AnswerBody } from '../results/AnswerBody';
import { TrustedAnswers } from './TrustedAnswers';
import { TrustStar } from './TrustStar';

const ONTOLOGY = '30000000-0000-4000-8000-000000000000';
const one = (part: Partial<TrustedAnswer> = {}): TrustedAnswer => ({
  id: 'one', ontologyId: ONTOLOGY, ontologyName: 'retail', question: 'Revenue by city?', sql: 'SELECT 42', values: [], period: null,
  state: 'trusted', problem: null, messageId: null, stepId: null, by: 'Ann', at: '2026-11-23T00:00:00.000Z', ...part,
});

let trusted: TrustedAnswer[];
let owner: string;
let refusal: string | null;
const sent: unknown[] = [];
const page = (items: unknown[]) => HttpResponse.json({ data: { items, page: 1, pageSize: 100, totalItems: items.length, totalPages: 1 } });
const server = setupServer(
  http.get('*/api/ontologies', () => page([{ id: ONTOLOGY, name: 'retail', ownerId: owner, status: 'ready' }])),
  http.get('*/api/data-agent/trusted-answers', () => page(trusted)),
  http.post('*/api/data-agent/trusted-answers', async ({ request }) => {
    sent.push(await request.json());
    if (refusal)
      return HttpResponse.json({ statusCode: 400, code: 'VALIDATION_ERROR', message: 'No', details: [{ field: 'sql', message: refusal }] }, { status: 400 });
    trusted = [one()];
    return HttpResponse.json({ data: trusted[0] }, { status: 201 });
  }),
  http.delete('*/api/data-agent/trusted-answers/:id', ({ params }) => {
    sent.push(params.id);
    trusted = trusted.filter((t) => t.id !== params.id);
    return new HttpResponse(null, { status: 204 });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  trusted = [];
  owner = ME.id;
  refusal = null;
  sent.length = 0;
});
afterAll(() => server.close());

function star() {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  cache.setQueryData(keys.chat(CHAT_ID), { id: CHAT_ID, ontologyId: ONTOLOGY });
  const message = answer({ stepResults: [SQL_STEP] });
  show(<QueryClientProvider client={cache}><TrustStar message={message} question="Revenue by city?" /></QueryClientProvider>);
  return message;
}

describe('TrustStar', () => {
  it('marks an answer as trusted, with the question as it is written there', async () => {
    const message = star();
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as trusted' }));
    const dialog = await screen.findByRole('dialog');
    const question = within(dialog).getByRole('textbox');
    expect(question).toHaveValue('Revenue by city?');
    await userEvent.type(question, ' In 2025');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Mark as trusted' }));
    expect(await screen.findByRole('button', { name: 'Trusted: change or remove' })).toHaveAttribute('aria-pressed', 'true');
    expect(sent).toEqual([{ messageId: message.id, stepId: SQL_STEP.stepId, question: 'Revenue by city? In 2025' }]);
  });

  it('says why the server refuses it', async () => {
    refusal = 'There is no column x';
    star();
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as trusted' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Mark as trusted' }));
    expect(await screen.findByText('There is no column x.')).toBeInTheDocument();
  });

  it('removes the mark', async () => {
    trusted = [one()];
    star();
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as trusted' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByRole('button', { name: 'Mark as trusted' })).toBeInTheDocument();
    expect(sent).toEqual(['one']);
  });

  it('is not there for those who may not mark', async () => {
    owner = 'another';
    star();
    await new Promise((go) => setTimeout(go, 50));
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('TrustedAnswers', () => {
  it('lists them, says why one is stale, and shows its query', async () => {
    trusted = [one(), one({ id: 'two', question: 'Which cities?', state: 'stale', problem: 'There is no column city' })];
    show(<TrustedAnswers />);
    expect(await screen.findByText('Not used: There is no column city')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'SQL of Revenue by city?' }));
    expect(screen.getByRole('group', { name: 'SQL' })).toHaveTextContent('SELECT 42');
  });

  it('asks before one is removed', async () => {
    trusted = [one()];
    show(<TrustedAnswers />);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Revenue by city?' }));
    expect(sent).toEqual([]);
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(/None yet/)).toBeInTheDocument();
    expect(sent).toEqual(['one']);
  });

  it('offers others no removal', async () => {
    owner = 'another';
    trusted = [one()];
    show(<TrustedAnswers />);
    expect(await screen.findByText('Revenue by city?')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
  });
});

describe('TrustedBadge', () => {
  it('says who vouches for the query, and is absent elsewhere', () => {
    const mark = { id: 'one', by: 'Ann', at: '2026-11-23T00:00:00.000Z' };
    const message = answer({ trusted: mark });
    const { unmount } = show(<AnswerBody message={message} metadata={message.metadata as never} />);
    expect(screen.getByLabelText(/marked by Ann/)).toBeInTheDocument();
    const plain = answer({});
    unmount();
    show(<AnswerBody message={plain} metadata={plain.metadata as never} />);
    expect(screen.queryByLabelText(/marked by/)).toBeNull();
  });
});
