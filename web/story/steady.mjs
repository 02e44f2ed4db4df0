/**
 * Nothing moves that the user did not move: the layout shifts of each page while it loads, of an answer while it is
 * written, and of a chat that is opened again. The network is slow and the cache empty, because what arrives in one
 * frame moves nothing. Prints the shifts, the largest paint and long tasks.
 */
import { ask, badge, browser, button, cell, log, QUESTION, say, signIn, tell, url } from './story.mjs';

/** Of the sum of the shifts on each page. */
const BAR = 0.02;
const LONG_MS = 100;
const LATENCY_MS = 80;
/** For what is asked for after the network was idle, such as the picture of a chart. */
const SETTLE_MS = 1000;
/** In a second, while an answer is written: otherwise that of the built-in analyst would arrive in one piece. */
const SLOW_BYTES = 40_000;
const WIDE = { width: 1360, height: 850 };
const PHONE = { width: 390, height: 844 };

/** In the page, before its scripts: notes what moves. */
function watch() {
  const seen = { shifts: [], lcp: 0, tasks: [] };
  const nameOf = (node) => {
    const at = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!at) return 'something that is gone';
    const near = at.closest('[aria-label], [id]');
    return `${at.localName} "${at.textContent.slice(0, 30)}" in ${near?.ariaLabel ?? near?.id ?? 'the page'}`;
  };
  const place = ({ x, y, width, height }) => `${[x, y, width, height].map(Math.round).join(' ')}`;
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    seen.shifts.push({ value, sources: sources.map((one) => `${nameOf(one.node)}: ${place(one.previousRect)} -> ${place(one.currentRect)}`) });
  });
  on('largest-contentful-paint', (paint) => { seen.lcp = paint.startTime; });
  on('longtask', (task) => seen.tasks.push(task.duration));
  globalThis.steady = seen;
}

let network;

async function begins(page) {
  await page.addInitScript(watch);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
}

const speed = (downloadThroughput = -1) =>
  network.send('Network.emulateNetworkConditions', { offline: false, latency: LATENCY_MS, downloadThroughput, uploadThroughput: -1 });

/** Waits until all has arrived, then judges what moved since the page was opened, or since the last call. */
async function judge(page, name) {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(SETTLE_MS);
  await browser.settle();
  const { shifts, lcp, tasks } = await page.evaluate(() => {
    const { steady } = globalThis;
    return { lcp: steady.lcp, shifts: steady.shifts.splice(0), tasks: steady.tasks.splice(0) };
  });
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  const long = tasks.filter((task) => task > LONG_MS).map((task) => `${Math.round(task)} ms`);
  say(`${name}: shift ${sum.toFixed(4)}, largest paint ${Math.round(lcp)} ms, long tasks: ${long.join(', ') || 'none'}`);
  if (sum > BAR)
    browser.wrongs.push(`${name} moves by ${sum.toFixed(4)}:`, ...shifts.flatMap(({ value, sources }) => [`  ${value.toFixed(4)}`, ...sources.map((one) => `    ${one}`)]));
  await browser.shot(`steady-${name.replaceAll(/\W+/g, '-')}`);
}

/** Opens a page as on a first visit, until `sign` is shown. */
async function opens(page, path, name, sign) {
  await speed();
  await network.send('Network.clearBrowserCache');
  await page.goto(url + path);
  await sign(page).waitFor();
  await judge(page, name);
}

/** The same in a wide window and on a phone. */
async function opensBoth(page, path, name, sign) {
  await opens(page, path, name, sign);
  await page.setViewportSize(PHONE);
  await opens(page, path, `${name} on a phone`, sign);
  await page.setViewportSize(WIDE);
}

const example = (page) => page.getByRole('main').locator('.MuiCardActionArea-root').first();
const dallas = (page) => cell(page, 'Dallas');
const picture = (page) => page.getByRole('img', { name: /^Chart: / });
const says = (words) => (page) => page.getByRole('main').getByText(words).first();

async function welcome(page) {
  await opensBoth(page, '/agent', 'welcome', example);
}

async function asks(page, question, name, sign) {
  await opens(page, '/agent', `welcome before ${name}`, example);
  await speed(SLOW_BYTES);
  await ask(page, question);
  await badge(page).waitFor();
  await button(page, 'Send').waitFor();
  await sign(page).waitFor();
  await judge(page, name);
}

async function answers(page) {
  await asks(page, 'show revenue by month as a chart', 'a chart', picture);
  await asks(page, QUESTION, 'an answer', dallas);
}

/** Short answers, at once, below a long one. */
async function refusals(page) {
  await speed(SLOW_BYTES);
  for (const bird of ['a swallow', 'a robin']) {
    await ask(page, `What is the airspeed of ${bird}?`);
    await log(page).getByText('I cannot answer this').nth(bird === 'a swallow' ? 0 : 1).waitFor();
    await button(page, 'Send').waitFor();
    await judge(page, `a refusal about ${bird}`);
  }
}

async function chatAgain(page) {
  const { pathname, search } = new URL(page.url());
  await opens(page, pathname + search, 'a chat with insights', dallas);
  await opensBoth(page, pathname, 'a chat', dallas);
}

async function otherPages(page) {
  await opensBoth(page, '/settings/data', 'data', says('Connect a database'));
  await opensBoth(page, '/explore', 'explore', says('Drop a file to explore it'));
  await opensBoth(page, '/boards', 'boards', says('No boards yet'));
  await opensBoth(page, '/sql', 'sql', says('No saved queries'));
  await opensBoth(page, '/schedules', 'schedules', says('No schedules yet'));
}

await tell(signIn, begins, welcome, answers, chatAgain, refusals, otherPages);
