import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { show } from '../../test/render';
import { ConnectStep } from './ConnectStep';

let tried: { name: string; options?: unknown }[];
const server = setupServer(
  http.get('*/api/connections', () => HttpResponse.json({ data: { items: [], meta: { totalPages: 1 } } })),
  http.post('*/api/connections/test', async ({ request }) => {
    tried.push((await request.json()) as (typeof tried)[number]);
    return HttpResponse.json({ data: { success: true, message: null, latencyMs: 3 } });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  tried = [];
});
afterAll(() => server.close());

async function testWithZone(zone: string) {
  show(<ConnectStep onConnected={() => undefined} />);
  for (const label of ['Name', 'Host', 'Database', 'User'])
    await userEvent.type(screen.getByRole('textbox', { name: new RegExp(`^${label}`) }), 'x');
  if (zone) await userEvent.type(screen.getByRole('combobox', { name: 'Time zone' }), zone);
  await userEvent.click(screen.getByRole('button', { name: 'Test' }));
  await screen.findByText(/It works/);
}

describe('a new connection', () => {
  it('has the time zone that was chosen', async () => {
    await testWithZone('Europe/Lisbon');
    expect(tried).toMatchObject([{ name: 'x', options: { timeZone: 'Europe/Lisbon' } }]);
  });

  it('may have one that the browser does not know', async () => {
    await testWithZone('Atlantis/Poseidonis');
    expect(tried).toMatchObject([{ options: { timeZone: 'Atlantis/Poseidonis' } }]);
  });

  it('has no zone unless one is chosen', async () => {
    await testWithZone('');
    expect(tried).toMatchObject([{ options: { timeZone: null } }]);
  });
});
