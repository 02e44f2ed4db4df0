import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { Schedule } from '../../api/types';
import SchedulesPage from '../../pages/SchedulesPage';
import { show } from '../../test/render';
import { cronOf, FIRST, timingOf, timingText } from '../../utils/cronText';
import ScheduleDialog from './ScheduleDialog';

const T = '2026-11-30T07:00:00.000Z';
const one = (part: Partial<Schedule> = {}): Schedule => ({
  id: 's1', name: 'Revenue', question: 'Revenue?', ontologyId: 'o1', ontologyName: 'retail', chatId: 'h1', llmProvider: null, cron: '0 8 * * 1', timeZone: 'Europe/Berlin',
  state: 'active', reason: null, nextAt: T, condition: { column: 'revenue', take: 'first', test: 'falls', amount: 10, unit: 'percent' }, createdAt: T, webhook: null,
  lastRun: { dueAt: T, state: 'done', reason: null, value: '90', conditionHeld: true }, ...part,
});

let schedules: Schedule[];
let refusal: object | null;
const sent: unknown[] = [];
const page = (items: unknown[]) => HttpResponse.json({ data: { items, page: 1, pageSize: 100, totalItems: items.length, totalPages: 1 } });
const server = setupServer(
  http.get('*/api/data-agent/schedules', () => page(schedules)),
  http.post('*/api/data-agent/schedules/times', () => HttpResponse.json({ data: { timeZone: 'Europe/Berlin', times: [T] } })),
  http.post('*/api/data-agent/schedules', async ({ request }) => {
    sent.push(await request.json());
    if (refusal) return HttpResponse.json(refusal, { status: 400 });
    return HttpResponse.json({ data: { ...one(), webhookSecret: 'whsec_x' } }, { status: 201 });
  }),
  http.patch('*/api/data-agent/schedules/:id', async ({ request }) => {
    const body = (await request.json()) as { state?: Schedule['state'] };
    sent.push(body);
    schedules = [one({ state: body.state ?? 'active' })];
    return HttpResponse.json({ data: schedules[0] });
  }),
  http.get('*/api/data-agent/schedules/:id/runs', () => page([
    { id: 'r1', dueAt: T, state: 'done', reason: null, value: '90', previous: '100', conditionHeld: true, messageId: 'm1', chatId: 'h1', endedAt: T }])),
  http.get('*/api/data-agent/schedules/:id/deliveries', () => page([
    { id: 'd1', runId: 'r1', event: 'schedule.condition_met', state: 'failed', attempts: 5, status: 500, error: 'The receiver answered 500.', nextAt: null, createdAt: T, endedAt: T }])),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  schedules = [one()];
  refusal = null;
  sent.length = 0;
});
afterAll(() => server.close());

describe('ScheduleDialog', () => {
  it('sends times, condition and webhook, and shows the secret once', async () => {
    let closed = false;
    show(<ScheduleDialog question="Revenue?" ontologyId="o1" columns={['revenue']} onClose={() => { closed = true; }} />);
    expect(await screen.findByText(/^Next: /)).toBeInTheDocument();
    await userEvent.click(screen.getByLabelText('Condition', { selector: '[role=combobox]' }));
    await userEvent.click(await screen.findByRole('option', { name: 'falls by' }));
    await userEvent.type(screen.getByLabelText(/Webhook/), 'https://example.org/x');
    await userEvent.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findByDisplayValue('whsec_x')).toBeInTheDocument();
    expect(sent[0]).toMatchObject({
      question: 'Revenue?', ontologyId: 'o1', cron: '0 8 * * 1', condition: { column: 'revenue', test: 'falls', amount: 10, unit: 'percent' },
      webhook: { url: 'https://example.org/x', on: 'condition', sends: 'state' },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(closed).toBe(true);
  });

  it('says why the server refuses it', async () => {
    refusal = { statusCode: 400, code: 'VALIDATION_ERROR', message: 'No', details: [{ field: 'cron', message: 'has a minute that is not from 0 to 59' }] };
    show(<ScheduleDialog question="Revenue?" ontologyId="o1" columns={[]} onClose={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findByText('cron has a minute that is not from 0 to 59.')).toBeInTheDocument();
  });
});

describe('SchedulesPage', () => {
  it('shows what is planned, what ran and what was sent', async () => {
    show(<SchedulesPage />);
    expect(await screen.findByText(/Mondays at 08:00 \(Europe\/Berlin\)/)).toHaveTextContent('when revenue falls by at least 10 %');
    await userEvent.click(screen.getByRole('button', { name: 'Runs of Revenue' }));
    expect(await screen.findByText(/90 after 100, condition held/)).toBeInTheDocument();
    expect(await screen.findByText(/5 attempts, HTTP 500/)).toBeInTheDocument();
  });

  it('pauses and resumes', async () => {
    show(<SchedulesPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Pause Revenue' }));
    expect(await screen.findByRole('button', { name: 'Resume Revenue' })).toBeInTheDocument();
    expect(sent).toEqual([{ state: 'paused' }]);
  });

  it('says why one was stopped', async () => {
    schedules = [one({ state: 'stopped', reason: 'The owner no longer has access to the data.', nextAt: null })];
    show(<SchedulesPage />);
    expect(await screen.findByText(/It was stopped: The owner no longer/)).toBeInTheDocument();
  });
});

describe('cron in words', () => {
  it.each(['5 * * * *', '0 8 * * *', '30 6 * * 1-5', '0 8 * * 1', '15 23 1 * *', '*/10 9-17 * * 1'])('%s comes back', (cron) => {
    expect(cronOf(timingOf(cron))).toBe(cron);
  });
  it('names simple ones', () => {
    expect(timingText('0 8 * * 1')).toBe('Mondays at 08:00');
    expect(timingText('*/10 * * * *')).toBe('*/10 * * * *');
    expect(cronOf(FIRST)).toBe('0 8 * * 1');
  });
});
