import { createEvent, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { MeContext } from '../../hooks/useSession';
import type { Dataset } from '../../api/types';
import { ME, show } from '../../test/render';
import { dataset, datasetTable } from '../../test/samples';
import { Datasets } from './Datasets';
import { FileDrop } from './FileDrop';

interface Sent {
  count: number;
  name: unknown;
  token: string | null;
}

let sent: Sent[];
let known: Dataset[];
let asked: number;

const made = dataset({ status: 'preparing' });
const server = setupServer(
  http.get('*/datasets', () => HttpResponse.json({ datasets: known, total: known.length })),
  http.post('*/datasets', async ({ request }) => {
    const form = await request.formData();
    sent.push({ count: form.getAll('file').length, name: form.get('name'), token: request.headers.get('authorization') });
    return HttpResponse.json({ ...made, problems: [] }, { status: 201 });
  }),
  http.get('*/datasets/d1', () => HttpResponse.json({ ...made, status: ++asked > 1 ? 'ready' : 'preparing' })),
  http.get('*/datasets/d1/schema', () => HttpResponse.json({
    dataset_id: 'd1',
    files: [datasetTable({ notes: ['One empty line was left out.'] })],
  })),
  http.delete('*/datasets/:id', ({ params }) => {
    known = known.filter(({ id }) => id !== params.id);
    return new HttpResponse(null, { status: 204 });
  }),
  http.post('*/datasets/:id/restore', () => {
    known = [{ ...made, status: 'ready' }];
    return HttpResponse.json(known[0]);
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  [sent, known, asked] = [[], [], 0];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function page(permissions = ['connections:write']) {
  const me = { ...ME, permissions: [...ME.permissions, ...permissions] };
  show(<MeContext value={me}><FileDrop><Datasets /></FileDrop></MeContext>);
}

const csv = (name = 'orders.csv') => new File(['city\nAustin\n'], name);

async function choose(...files: File[]) {
  await screen.findByText(/No files yet/);
  await userEvent.upload(screen.getByLabelText('Files to upload'), files);
}

function drag(name: 'dragEnter' | 'dragLeave' | 'drop', files: File[] = [], types = ['Files']) {
  const items = files.map((file) => ({ kind: 'file', getAsFile: () => file }));
  const event = createEvent[name](document.body, { dataTransfer: { types, items, files, dropEffect: 'none' } });
  fireEvent(document.body, event);
  return event;
}

describe('files', () => {
  it('are uploaded together, prepared, and shown with what was found', async () => {
    page();
    await choose(csv(), csv('cities.csv'));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Preparing the tables for questions…')).toBeInTheDocument();
    const columns = await within(dialog).findByRole('table', { name: 'Columns of orders' });
    expect(within(columns).getAllByRole('row')[1]).toHaveTextContent('citytext11AustinAustin');
    expect(within(dialog).getByText('One empty line was left out.')).toBeInTheDocument();
    expect(within(dialog).getByRole('table', { name: 'First rows of orders' })).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: 'Ask about it' })).toHaveAttribute('href', '/agent?ontology=o1');
    expect(sent).toMatchObject([{ count: 2, name: null }]);
  });

  it('to try come as a dataset with a name of its own', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    server.use(http.get('*/app/samples/:name', () => new HttpResponse('city\nAustin\n', { headers })));
    page();
    await userEvent.click(await screen.findByRole('button', { name: 'Try the sample files' }));
    expect(await screen.findByRole('dialog', { name: /: Bicycle rentals$/ })).toBeInTheDocument();
    await vi.waitFor(() => expect(sent).toMatchObject([{ count: 2, name: 'Bicycle rentals' }]));
  });

  it('are refused with the sentence of the server, and can be tried again', async () => {
    server.use(http.post('*/datasets', () =>
      HttpResponse.json({ statusCode: 413, code: 'TOO_LARGE', message: 'orders.csv has more than 256 MiB', requestId: 'r1' }, { status: 413 }), { once: true }));
    page();
    await choose(csv());
    expect(await screen.findByRole('alert')).toHaveTextContent('orders.csv has more than 256 MiB');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table', { name: 'Columns of orders' })).toBeInTheDocument();
  });

  it('say why they could not be prepared', async () => {
    server.use(http.get('*/datasets/d1', () => HttpResponse.json({ ...made, status: 'failed', failure: 'orders.csv has a header only' })));
    page();
    await choose(csv());
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('orders.csv has a header only')).toBeInTheDocument();
  });

  it('are dropped anywhere, and text is not', async () => {
    page();
    await screen.findByText(/No files yet/);
    drag('dragEnter', [], ['text/plain']);
    expect(screen.queryByText('Drop files to ask about them')).not.toBeInTheDocument();
    drag('dragEnter');
    drag('dragEnter'); // an element inside
    drag('dragLeave');
    expect(screen.getByText('Drop files to ask about them')).toBeInTheDocument();
    expect(drag('drop', [csv()]).defaultPrevented).toBe(true);
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
    expect(screen.queryByText('Drop files to ask about them')).not.toBeInTheDocument();
    expect(drag('drop', [], ['text/plain']).defaultPrevented).toBe(false);
  });

  it('are no longer sent after Cancel', async () => {
    server.use(http.post('*/datasets', async () => {
      await delay('infinite');
      return HttpResponse.json(made);
    }));
    page();
    await choose(csv());
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument(), 20_000);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('are deleted at once, and come back with Undo', async () => {
    known = [{ ...made, status: 'ready' }];
    page();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete orders' }));
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Delete orders' })).not.toBeInTheDocument(), 20_000);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Delete orders' })).toBeInTheDocument();
  });

  it('are only listed for those who may not upload', async () => {
    known = [{ ...made, status: 'ready' }];
    page([]);
    expect(await screen.findByRole('link', { name: 'Ask about orders' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Delete orders' })).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Files to upload')).not.toBeInTheDocument();
    drag('dragEnter');
    expect(screen.queryByText('Drop files to ask about them')).not.toBeInTheDocument();
  });
});
