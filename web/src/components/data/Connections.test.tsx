import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { ME, show } from '../../test/render';
import { MeContext } from '../../hooks/useSession';
import { Connections } from './Connections';

let names: string[];
const removed: unknown[] = [];
const server = setupServer(
  http.get('*/api/connections', () => HttpResponse.json({ data: {
    items: names.map((name) => ({ id: name, name, host: 'db', port: 5432, databaseName: name, username: 'reader' })),
    meta: { totalPages: 1 },
  } })),
  http.delete('*/api/connections/:id', ({ params }) => {
    removed.push(params.id);
    names = names.filter((name) => name !== params.id);
    return new HttpResponse(null, { status: 204 });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  names = ['books', 'shops'];
  removed.length = 0;
});
afterAll(() => server.close());

function connections() {
  const me = { ...ME, permissions: [...ME.permissions, 'connections:write'] };
  show(<MeContext value={me}><Connections /></MeContext>);
}

describe('Connections', () => {
  it('asks before one is deleted, and keeps it where one thinks better of it', async () => {
    connections();
    const remove = await screen.findByRole('button', { name: 'Delete books' });
    await userEvent.click(remove);
    expect(screen.getByRole('dialog', { name: 'Delete books?' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(removed).toEqual([]);
    expect(screen.getByText('books', { selector: 'td:first-child' })).toBeInTheDocument();
  });

  it('leaves out what stands for uploaded files', async () => {
    server.use(http.get('*/api/connections', () => HttpResponse.json({ data: {
      items: [['books', 'postgresql'], ['orders', 'duckdb']].map(([name, dbType]) => ({ id: name, name, dbType, host: 'db', port: 1, databaseName: name, username: 'r' })),
      meta: { totalPages: 1 },
    } }), { once: true }));
    connections();
    expect(await screen.findByRole('button', { name: 'Delete books' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Delete orders' })).not.toBeInTheDocument();
  });

  it('changes the time zone; a zone that the server refuses stays in the dialog', async () => {
    const sent: unknown[] = [];
    server.use(http.patch('*/api/connections/books', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json({ data: { id: 'books' } });
      const details = [{ field: 'options.timeZone', message: 'is not a time zone' }];
      return HttpResponse.json({ statusCode: 400, code: 'VALIDATION_ERROR', message: 'Wrong', details }, { status: 400 });
    }));
    connections();
    await userEvent.click(await screen.findByRole('button', { name: 'Edit books' }));
    const zone = screen.getByLabelText('Time zone');
    fireEvent.change(zone, { target: { value: 'Mars/Base' } }); // at once: each letter would render all zones
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('options.timeZone is not a time zone.')).toBeInTheDocument();
    fireEvent.change(zone, { target: { value: 'Europe/Berlin' } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 10_000);
    expect(sent.at(-1)).toEqual({ name: 'books', options: { timeZone: 'Europe/Berlin', shareRows: 'all' } });
  });

  it('removes it when that is meant', async () => {
    connections();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete books' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Delete books', hidden: true })).not.toBeInTheDocument(), 20_000);
    expect(removed).toEqual(['books']);
    expect(await screen.findByRole('button', { name: 'Delete shops' })).toBeInTheDocument();
  });
});
