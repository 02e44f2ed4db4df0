/**
 * A chat of a thousand messages and a result of ten thousand rows: few tables are rendered at once, the user can
 * scroll to both ends and open a message by its URL, and the text in view does not move. Prints the times.
 */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, cell, outside, say, signIn, tell, url } from './story.mjs';

const MESSAGES = 1000;
const GRIDS_MOST = 16;

let made;
let cdp;
let busy;

const grids = (page) => page.getByRole('log').getByRole('group', { name: /^Rows: / });
const messages = (page) => page.locator('[id^="m-"]').count();

/** Measures frames and the CPU time of the main thread, which does not depend on other load. */
async function measure(page) {
  cdp ??= await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  busy = await busyMs();
  await page.evaluate(() => {
    const seen = { frames: [] };
    let last = performance.now();
    const frame = (now) => {
      seen.frames.push(now - last);
      last = now;
      seen.next = requestAnimationFrame(frame);
    };
    seen.next = requestAnimationFrame(frame);
    globalThis.seen = seen;
  });
}

async function busyMs() {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((one) => one.name === 'TaskDuration').value * 1000;
}

async function measured(page, what) {
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.seen.next);
    return globalThis.seen.frames.slice(1);
  });
  const cpu = (await busyMs()) - busy;
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const long = frames.filter((f) => f > 50).length;
  say(`${what}: ${Math.round(cpu)} ms busy, ${(cpu / frames.length).toFixed(1)} a frame; ${frames.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)}, longest ${at(1)}, ${long} over 50`);
}

async function askOnce(page) {
  await ask(page);
  await badge(page).waitFor();
  made = await outside('lengthen');
}

async function open(page) {
  await page.goto('about:blank');
  const began = Date.now();
  await page.goto(`${url}/agent/${made.chat}`);
  await badge(page).last().waitFor();
  await cell(page, 'Dallas').waitFor();
  say(`a chat of ${MESSAGES} messages is open after ${Date.now() - began} ms`);
  const there = await grids(page).count();
  assert.ok(there > 0 && there <= GRIDS_MOST, `${there} grids at once`);
}

/** The text in view does not move when earlier messages are inserted above it. */
async function staysInPlace(page) {
  const moved = await page.evaluate(async () => {
    const box = document.querySelector('[data-scrolls]');
    const ids = () => [...document.querySelectorAll('[id^="m-"]')];
    const frame = () => new Promise(requestAnimationFrame);
    const before = ids().length;
    box.scrollTop = 1000;
    await frame();
    await frame();
    const seen = ids().find((e) => e.getBoundingClientRect().bottom > box.getBoundingClientRect().top);
    let place = seen.getBoundingClientRect().top;
    for (const until = performance.now() + 60_000; ids().length === before && performance.now() < until;) {
      place = seen.getBoundingClientRect().top;
      await frame();
    }
    return seen.getBoundingClientRect().top - place;
  });
  assert.ok(Math.abs(moved) < 40, `it moved by ${moved} px`);
}

async function toTheBeginning(page) {
  const began = Date.now();
  await measure(page);
  for (let known = await messages(page); known < MESSAGES; known = await messages(page)) {
    await page.locator('[data-scrolls]').evaluate((box) => { box.scrollTop = 0; });
    await page.waitForFunction((before) => document.querySelectorAll('[id^="m-"]').length > before, known);
  }
  assert.equal(await messages(page), MESSAGES);
  await measured(page, `to the beginning, all ${MESSAGES} fetched (${Date.now() - began} ms)`);
  const there = await grids(page).count();
  assert.ok(there <= GRIDS_MOST, `${there} grids at once`);
}

async function throughAll(page) {
  await measure(page);
  await page.evaluate(async () => {
    const box = document.querySelector('[data-scrolls]');
    box.scrollTop = 0;
    for (let i = 0; i < 300; i++) {
      box.scrollTop += 120;
      await new Promise(requestAnimationFrame);
    }
  });
  await measured(page, 'scrolling 300 frames of 120 px');
  await button(page, 'To the latest message').click();
  await badge(page).last().waitFor();
  const there = await grids(page).count();
  assert.ok(there <= GRIDS_MOST, `${there} grids at once`);
}

async function link(page) {
  await page.goto('about:blank');
  await page.goto(`${url}/agent/${made.chat}#m-${made.first}`);
  await page.locator(`[id="m-${made.first}"]`).waitFor();
  await page.waitForFunction((id) => {
    const { top, bottom } = document.getElementById(`m-${id}`).getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }, made.first);
}

async function manyRows(page) {
  await page.goto(`${url}/agent/${made.wide}`);
  const rows = grids(page).last();
  await rows.getByRole('row').nth(20).waitFor();
  await page.getByText('100 of 1,000+ rows').waitFor();
  await measure(page);
  const began = Date.now();
  await rows.evaluate((box) => { box.scrollTop = box.scrollHeight; });
  await page.getByText('10,000 of 10,000+ rows').or(page.getByText('10,000+ rows')).first().waitFor();
  await measured(page, `10,000 rows are there after ${Date.now() - began} ms`);
  await measure(page);
  await rows.evaluate(async (box) => {
    for (let i = 0; i < 300; i++) {
      box.scrollTop += 1000;
      await new Promise(requestAnimationFrame);
    }
  });
  await measured(page, 'scrolling 300 frames of 1000 px through 10,000 rows');
  assert.ok((await rows.getByRole('row').count()) < 100);
  await measure(page);
  await rows.getByRole('columnheader').first().getByRole('button').click();
  await rows.locator('[aria-sort=ascending]').waitFor();
  await page.getByRole('searchbox').last().fill('cancelled');
  await page.getByText(/of them match/).waitFor();
  await measured(page, 'sorting and filtering 10,000 rows');
  await browser.shot('many-rows');
  await browser.axe('many rows');
}

await tell(signIn, askOnce, open, staysInPlace, toTheBeginning, throughAll, link, manyRows);
