/**
 * How smooth the page is; prints figures and judges nothing: a chat of 1,000 messages is scrolled, a
 * result of 10,000 rows too, and one types while an answer comes at eighty events a second. The server's
 * words are stretched on their way to the page; an answer under way is made up in it.
 */
import { ask, badge, browser, log, say, signIn, tell, url } from './story.mjs';

const MESSAGES = 1000;
const ROWS = 10_000;
const EVENTS_A_SECOND = 80;
const TYPED = 'which city had the best quarter, and what did it sell most of in those three months?';

/** Frames that took long, and how long keys waited, between `start` and `stop`. */
function meter() {
  const seen = { frames: [], keys: [], gaps: [], on: false };
  const take = (list) => (entries) =>
    seen.on && entries.getEntries().forEach((e) => (!e.name.startsWith('pointer') ? list.push(e.duration) : undefined));
  new PerformanceObserver(take(seen.frames)).observe({ type: 'long-animation-frame' });
  new PerformanceObserver((entries) => seen.on && entries.getEntries().forEach((e) =>
    e.name === 'keydown' && seen.keys.push(e.duration))).observe({ type: 'event', durationThreshold: 16 });
  let last = 0;
  const tick = (now) => {
    if (seen.on && last) seen.gaps.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  globalThis.meter = {
    start: () => Object.assign(seen, { frames: [], keys: [], gaps: [], on: true }),
    stop: () => Object.assign(seen, { on: false }),
  };
}

/** An answer that never ends: pieces of text, and a tool call now and then. */
function endlessAnswer(perSecond) {
  const real = globalThis.fetch;
  const frame = (id, data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
  globalThis.fetch = (request, init) => {
    const address = request.url ?? String(request);
    if (!address.endsWith('/stream')) return real(request, init);
    let id = 0;
    const body = new ReadableStream({
      start(controller) {
        const send = (data) => controller.enqueue(new TextEncoder().encode(frame(++id, data)));
        send({ type: 'message_start', messageId: 'm', chatId: 'c', startedAt: Date.now() });
        send({ type: 'phase_start', phase: 'explainer', description: '' });
        setInterval(() => {
          if (id % 40 === 0) send({ type: 'tool_start', phase: 'explainer', name: 'query_database', args: { sql: 'SELECT 1' } });
          else send({ type: 'message_chunk', chunk: id % 30 === 0 ? '\n\n' : `**word** ${id} ` });
        }, 1000 / perSecond);
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  };
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function measured(page, what, act) {
  await page.evaluate(() => globalThis.meter.start());
  await act();
  await page.waitForTimeout(500);
  const { frames, keys, gaps } = await page.evaluate(() => globalThis.meter.stop());
  const inOrder = (list) => list.toSorted((a, b) => a - b);
  const f = inOrder(frames);
  const k = inOrder(keys);
  const g = inOrder(gaps);
  say(`${what}: ${gaps.length} frames, p95 ${at(g, 0.95).toFixed(0)} ms, worst ${at(g, 1).toFixed(0)} ms; ` +
    `${f.length} long frames, worst ${at(f, 1).toFixed(0)} ms` +
    (k.length ? `; keys p95 ${at(k, 0.95)} ms, worst ${at(k, 1)} ms` : ''));
}

function stretched(chat) {
  const [question, answer] = chat.messages;
  const messages = [];
  for (let i = 0; i < MESSAGES / 2; i++) {
    const id = (kind) => `${kind}0000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    messages.push({ ...question, id: id(1), parentId: messages.at(-1)?.id ?? null, content: `${question.content} (${i})` });
    messages.push({ ...answer, id: id(2), parentId: id(1) });
  }
  return { ...chat, messages, messageCount: MESSAGES };
}

function withRows(chat) {
  const wide = structuredClone(chat.messages.at(-1));
  const result = wide.metadata.stepResults[0].sqlResult;
  const rows = Array.from({ length: ROWS }, (_x, i) => ({ city: `City ${i}`, revenue: String(i * 7.5) }));
  Object.assign(result, { data: JSON.stringify(rows), rowCount: ROWS, columns: ['city', 'revenue'], columnTypes: ['text', 'numeric'] });
  return { ...chat, messages: [...chat.messages.slice(0, -1), wide] };
}

async function play(page, chat) {
  await page.route('**/api/data-agent/chats/*', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { data: chat } }) : route.fallback());
}

async function wheel(page, box, times, step) {
  await box.hover();
  for (let i = 0; i < times; i++) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(16);
  }
}

async function figures(page) {
  await page.addInitScript(meter);
  await ask(page);
  await badge(page).waitFor();
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}/);
  const path = new URL(page.url()).pathname;
  const answered = page.waitForResponse((r) => r.url().includes('/api/data-agent/chats/') && r.request().method() === 'GET');
  await page.reload();
  const chat = (await (await answered).json()).data;
  const long = withRows(stretched(chat));
  await play(page, long);
  await page.goto(url + path);
  await badge(page).last().waitFor();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await measured(page, `${MESSAGES} messages, up`, () => wheel(page, conversation, 120, -1500));
  await measured(page, `${MESSAGES} messages, down`, () => wheel(page, conversation, 120, 1500));
  const grid = page.getByRole('grid').last();
  await grid.scrollIntoViewIfNeeded();
  await measured(page, `${ROWS} rows`, () => wheel(page, grid, 100, 400));
  await typing(page, path, long);
}

async function typing(page, path, chat) {
  const last = chat.messages.at(-1);
  const generating = { ...last, status: 'generating', content: '', metadata: null };
  await play(page, { ...chat, messages: [...chat.messages.slice(-101, -1), generating] });
  await page.addInitScript(endlessAnswer, EVENTS_A_SECOND);
  await page.goto(url + path);
  await log(page).getByText('word', { exact: true }).nth(50).waitFor();
  const input = page.getByLabel('Your question');
  await measured(page, `typing at ${EVENTS_A_SECOND} events a second`, () => input.pressSequentially(TYPED, { delay: 60 }));
}

await tell(signIn, figures);
