/**
 * How soon the answer of a chat is on the screen that is opened with an empty cache, and that the page reacts while
 * answers are written. Prints the times; fails on what does not depend on the machine: what is requested when, how
 * often, and the CPU time of the longest task.
 */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, cell, log, QUESTION, say, signIn, tell } from './story.mjs';

const TIMES = Number(process.env.TIMES ?? 7);
/** The page, what its first script needs, a chat, and the table below its answer. */
const SCRIPTS_MOST = 10;
const LONG_MS = 100;

let cdp;

/** In the page, before its scripts. */
function watch() {
  globalThis.paints = [];
  new PerformanceObserver((list) => list.getEntries().forEach((paint) => globalThis.paints.push({ at: paint.startTime, text: paint.element?.textContent ?? '' })))
    .observe({ type: 'largest-contentful-paint', buffered: true });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function opensCold(page) {
  cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await ask(page);
  await badge(page).waitFor();
  const chat = page.url().replace(/\?.*/, '');
  await page.addInitScript(watch);
  await browser.context.unroute('**/*'); // each request would wait for this process
  const largest = [];
  const busy = [];
  for (let i = 0; i < TIMES; i++) {
    await page.goto('about:blank');
    await cdp.send('Network.clearBrowserCache');
    await page.goto(chat, { waitUntil: 'networkidle' }); // to look for an element would keep the page busy
    await cell(page, 'Dallas').waitFor();
    const { metrics } = await cdp.send('Performance.getMetrics');
    busy.push(metrics.find((one) => one.name === 'TaskDuration').value * 1000);
    const seen = await page.evaluate(() => ({
      paints: globalThis.paints,
      first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      requests: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ path: name.replace(location.origin, ''), startTime })),
    }));
    largest.push(seen.paints.at(-1).at);
    assert.match(seen.paints.at(-1).text, /Dallas/, 'the largest paint is the answer');
    const data = seen.requests.filter(({ path }) => path.startsWith('/api/'));
    const paths = data.map(({ path }) => path);
    assert.deepEqual(paths.filter((path, at) => paths.indexOf(path) < at), [], 'nothing is requested twice');
    const own = data.find(({ path }) => /^\/api\/data-agent\/chats\/[0-9a-f-]+$/.test(path));
    assert.ok(own.startTime < seen.first, 'the chat is requested before anything is rendered');
    const scripts = seen.requests.filter(({ path }) => path.endsWith('.js'));
    assert.ok(scripts.length <= SCRIPTS_MOST, `${scripts.length} scripts`);
  }
  say(`the answer of a chat is there after ${Math.round(median(largest))} ms (median of ${largest.map(Math.round).join(', ')}); the main thread was busy for ${Math.round(median(busy))} ms`);
}

/** The tasks of the page's main thread while `act` runs: wall and CPU time. */
async function tasksDuring(act) {
  const events = [];
  const take = ({ value }) => events.push(...value);
  cdp.on('Tracing.dataCollected', take);
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] } });
  await act();
  const over = new Promise((resolve) => { cdp.once('Tracing.tracingComplete', resolve); });
  await cdp.send('Tracing.end');
  await over;
  cdp.off('Tracing.dataCollected', take);
  const { pid, tid } = events.find(({ name, args }) => name === 'FunctionCall' && args.data?.url?.includes('/app/assets/'));
  const tasks = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === 'X' && e.name.endsWith('RunTask'));
  return tasks.map(({ dur, tdur = 0 }) => ({ wall: dur / 1000, cpu: tdur / 1000 }));
}

/** The longest task while the question is answered: wall and CPU time. */
async function writes(page, question) {
  await page.getByLabel('Your question').fill(question);
  await button(page, 'Send').waitFor();
  await page.waitForTimeout(500);
  const tasks = await tasksDuring(async () => {
    const asked = log(page).getByText(question, { exact: true });
    const before = await asked.count();
    await page.getByLabel('Your question').press('Enter');
    await asked.nth(before).waitFor();
    await button(page, 'Send').waitFor();
    await page.waitForTimeout(1000);
  });
  const [wall, cpu] = ['wall', 'cpu'].map((of) => Math.round(Math.max(...tasks.map((task) => task[of]))));
  assert.ok(tasks.length > 0, 'the tasks of the page were seen');
  say(`"${question}": the longest task took ${wall} ms, of which ${cpu} of CPU; ${tasks.filter((task) => task.wall > LONG_MS).length} over ${LONG_MS} ms`);
}

/** Says how long the page was busy; load of the machine makes tasks longer, so none of it fails. */
async function reacts(page) {
  for (const question of [QUESTION, 'show revenue by month as a chart', 'top 5 products by units sold', 'show revenue by month and city as a line chart'])
    for (let tries = 0; tries < 2; tries++) await writes(page, question);
}

await tell(signIn, opensCold, reacts);
