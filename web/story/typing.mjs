/**
 * Typing while an answer arrives at eighty events a second: no letter is lost, the draft stays, the text grows.
 * The page itself produces the stream, instead of the server. Prints the delay until a letter is rendered.
 */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, log, say, signIn, tell } from './story.mjs';

const LETTERS = 200;
const RATE = 80;
const DRAFT = 'how much of that came from customers who had bought before and came back within the same quarter of the year '.repeat(2).slice(0, LETTERS);

/** In the page: replaces the next stream with this one, until it is stopped. */
function feed(rate) {
  const real = globalThis.fetch;
  const words = '**Dallas** leads with 1,504,034.14, then Houston. `SELECT city` tells why:\n\n| city | revenue |\n|---|---:|\n| Dallas | 1 |\n| Houston | 2 |\n\n'.split(/(?<= )/);
  globalThis.fed = 0;
  globalThis.fetch = (input, init) => {
    if (!/messages\/[^/]+\/stream(\?|$)/.test(input.url ?? String(input))) return real(input, init);
    let timer;
    const body = new ReadableStream({
      start(to) {
        const send = (data) => to.enqueue(new TextEncoder().encode(`event: ${data.type}\ndata: ${JSON.stringify(data)}\nid: ${++globalThis.fed}\n\n`));
        send({ type: 'message_start', messageId: 'm', chatId: 'c', startedAt: Date.now() });
        send({ type: 'phase_start', phase: 'executor', description: '' });
        const began = performance.now();
        timer = setInterval(() => {
          while (globalThis.fed < ((performance.now() - began) / 1000) * rate) {
            const n = globalThis.fed;
            if (n % 8 === 6) send({ type: 'tool_start', phase: 'executor', stepId: 1, name: 'query_database', args: { sql: `SELECT ${n}` } });
            else if (n % 8 === 7) send({ type: 'tool_end', phase: 'executor', stepId: 1, name: 'query_database', result: `${n} rows` });
            else if (n % 16 === 5) send({ type: 'token_update', phase: 'executor', tokensUsed: { prompt: n, completion: n, total: 2 * n } });
            else send({ type: 'message_chunk', chunk: words[n % words.length] });
          }
        }, 12);
      },
      cancel: () => clearInterval(timer),
    });
    return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  };
}

/** In the page: measures from a key to the frame that shows it, and the browser's own figure (in steps of 8 ms). */
function watch() {
  const seen = { frames: [], events: [] };
  document.addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() =>
    setTimeout(() => seen.frames.push(performance.now() - timeStamp))), true);
  new PerformanceObserver((list) => seen.events.push(...list.getEntries().filter((e) => e.name === 'keydown').map((e) => e.duration)))
    .observe({ type: 'event', durationThreshold: 16 });
  globalThis.keys = seen;
}

async function asks(page) {
  await ask(page);
  await badge(page).waitFor();
}

async function types(page) {
  await page.evaluate(feed, RATE);
  await ask(page, 'and by month?');
  await button(page, 'Stop').waitFor();
  await page.waitForFunction(() => globalThis.fed > 400);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await cdp.send('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value * 1000;
  await page.evaluate(watch);
  const [before, fed, began] = [await busy(), await page.evaluate(() => globalThis.fed), Date.now()];
  await page.getByLabel('Your question').pressSequentially(DRAFT, { delay: 40 });
  const ran = Date.now() - began;
  const { frames, events } = await page.evaluate(() => globalThis.keys);
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]);
  const rate = ((await page.evaluate(() => globalThis.fed)) - fed) / (ran / 1000);
  say(`${LETTERS} letters in ${ran} ms beside ${Math.round(rate)} events a second: drawn after ${at(0.5)} ms (median), ${at(0.95)} (95 %), ${at(1)} (longest); the page was busy ${Math.round(((await busy()) - before) * 100 / ran)} % of the time; the browser saw ${events.length} keys of 16 ms and more`);
  assert.equal(await page.getByLabel('Your question').inputValue(), DRAFT);
  await log(page).getByText('1,504,034.14').last().waitFor();
  await browser.shot('typing');
}

async function stops(page) {
  await button(page, 'Stop').click();
  assert.equal(await page.getByLabel('Your question').inputValue(), DRAFT);
}

await tell(signIn, asks, types, stops);
