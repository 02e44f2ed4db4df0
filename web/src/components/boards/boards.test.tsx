import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Route, Routes } from 'react-router';
import type { BoardCard, BoardWithCards } from '../../api/types';
import BoardPage from '../../pages/BoardPage';
import { answer, SQL_STEP } from '../../test/samples';
import { show } from '../../test/render';
import { boardFile } from '../../utils/boardFile';
import { choiceOfCard, suggestedChart } from '../../utils/cardChart';
import { rowsOf } from '../../utils/rows';
import { PinButton } from './PinButton';

const T = '2026-01-01T00:00:00.000Z';
const card = (part: Partial<BoardCard> = {}): BoardCard => ({
  id: 'c1', title: 'Revenue', question: 'Revenue by city?', sql: 'SELECT 42', period: null, chart: null, width: 6, ontologyId: 'o1', ontologyName: 'retail',
  messageId: 'm1', chatId: 'h1', stepId: 1, rowsAt: T, state: 'fresh', problem: null, failedAt: null,
  result: { columns: ['city', 'revenue'], columnTypes: ['text', 'numeric'], data: '[{"city":"Dallas","revenue":"12.5"},{"city":"<b>Ulm</b>","revenue":"2"}]', rowCount: 2, truncated: false },
  ...part,
});

let board: BoardWithCards;
const sent: unknown[] = [];
const page = (items: unknown[]) => HttpResponse.json({ data: { items, page: 1, pageSize: 100, totalItems: items.length, totalPages: 1 } });
const server = setupServer(
  http.get('*/api/ontologies', () => page([])),
  http.get('*/api/data-agent/boards', () => page(board.cards.length ? [board] : [])),
  http.post('*/api/data-agent/boards', async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ data: board }, { status: 201 });
  }),
  http.get('*/api/data-agent/boards/:id', () => HttpResponse.json({ data: board })),
  http.patch('*/api/data-agent/boards/:id', async ({ request }) => {
    const body = (await request.json()) as { cards?: { id: string; width: number }[] };
    sent.push(body);
    board = { ...board, cards: body.cards?.map(({ id, width }) => ({ ...board.cards.find((c) => c.id === id)!, width })) ?? board.cards };
    return HttpResponse.json({ data: board });
  }),
  http.post('*/api/data-agent/boards/:id/refresh', () => {
    board = { ...board, cards: board.cards.map((c) => ({ ...c, state: 'failed' as const, problem: 'division by zero.' })) };
    return HttpResponse.json({ data: board });
  }),
  http.post('*/api/data-agent/boards/:id/cards', async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ data: card() }, { status: 201 });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  board = { id: 'b1', name: 'Monday', cardCount: 2, createdAt: T, updatedAt: T, cards: [card(), card({ id: 'c2', title: 'Other' })] };
  sent.length = 0;
});
afterAll(() => server.close());

const open = () => show(<Routes><Route path="/boards/:boardId" element={<BoardPage />} /></Routes>, '/boards/b1');
const choose = async (title: string, entry: string) => {
  await userEvent.click(screen.getByRole('button', { name: `More for ${title}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }));
};

describe('PinButton', () => {
  it('pins an answer to a new board, with the chart that fits', async () => {
    board.cards = [];
    show(<PinButton message={answer({ stepResults: [SQL_STEP] })} question="Revenue by city?" />);
    await userEvent.click(screen.getByRole('button', { name: 'Pin to board' }));
    await screen.findByLabelText(/Name of the board/);
    await userEvent.click(screen.getByRole('button', { name: 'Pin' }));
    expect(await screen.findByText('Pinned to Monday')).toBeInTheDocument();
    expect(sent[0]).toEqual({ name: 'My board' });
    expect(sent[1]).toMatchObject({ stepId: 1, title: 'Revenue by city?', chart: { mark: 'bar', x: 'city', y: 'revenue', series: null } });
  });

  it('is not there for an answer without rows', () => {
    show(<PinButton message={answer({ stepResults: [] })} question="" />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('BoardPage', () => {
  it('moves and widens cards', async () => {
    open();
    await screen.findByRole('heading', { name: 'Revenue' });
    await choose('Revenue', 'Move later');
    expect(sent[0]).toEqual({ cards: [{ id: 'c2', width: 6 }, { id: 'c1', width: 6 }] });
    await choose('Other', 'Full width');
    expect(sent[1]).toEqual({ cards: [{ id: 'c2', width: 12 }, { id: 'c1', width: 6 }] });
  });

  it('shows why a refresh failed, and keeps the rows', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Refresh all' }));
    expect((await screen.findAllByText(/It could not be refreshed: division by zero/)).length).toBe(2);
    expect((await screen.findAllByRole('cell', { name: 'Dallas' })).length).toBe(2);
  });

  it('does not refresh a stale card', async () => {
    board.cards = [card({ state: 'stale', problem: 'There is no column city' })];
    open();
    expect(await screen.findByText(/no longer fits the data/)).toHaveTextContent('There is no column city');
    expect(screen.getByRole('button', { name: 'Refresh Revenue' })).toBeDisabled();
  });
});

describe('charts of cards', () => {
  const rows = rowsOf(card().result as Parameters<typeof rowsOf>[0])!;
  it('finds the columns that the card names', () => {
    expect(choiceOfCard(rows, suggestedChart(rows))).toMatchObject({ mark: 'bar', x: { name: 'city' }, y: { name: 'revenue' } });
    expect(choiceOfCard(rows, { mark: 'bar', x: 'gone', y: 'revenue', series: null })).toBeNull();
    expect(choiceOfCard(rows, null)).toBeNull();
  });
});

describe('boardFile', () => {
  it('escapes everything, and has no script', async () => {
    const evil = '<script>alert(1)</script>';
    const text = await boardFile({ ...board, name: evil, cards: [card({ title: evil, question: evil, sql: `-- ${evil}`, state: 'failed', problem: evil, ontologyName: evil })] });
    expect(text).not.toMatch(/<script/i);
    expect(text).toContain("default-src 'none'");
    const file = new DOMParser().parseFromString(text, 'text/html');
    expect(file.querySelectorAll('script, b').length).toBe(0);
    expect(file.querySelector('h1')?.textContent).toBe(evil);
    expect([...file.querySelectorAll('td')].map((td) => td.textContent)).toContain('<b>Ulm</b>');
  });
});

it('asks before a card is removed', async () => {
  open();
  await screen.findByRole('heading', { name: 'Revenue' });
  await choose('Revenue', 'Remove');
  expect(within(screen.getByRole('dialog')).getByText('Revenue')).toBeInTheDocument();
  expect(sent).toEqual([]);
});
