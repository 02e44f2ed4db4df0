/** Charts: kinds, tooltip, zoom, full screen, downloads. A chart of cut data says so, also in a shared chat. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ask, badge, browser, button, outside, signIn, tell } from './story.mjs';

const MONTHS = 'revenue by month in 2025';
/** The chart that was opened last. */
const chart = (page, form = '\\w+') => page.getByRole('img', { name: new RegExp(`^${form} chart of `) }).last();
/** The path of its line. */
const course = (page) => chart(page).locator('.mark-line path').first().getAttribute('d');
const dialog = (page) => page.getByRole('dialog');

async function opens(page) {
  await page.getByRole('tab', { name: 'Chart' }).last().click();
  await chart(page).locator('svg').waitFor();
}

/** Waits until the tooltip shows the name and the value. */
async function pointAt(page, mark) {
  await mark.hover({ force: true }); // the plot captures the pointer for its zoom
  await page.locator('#vg-tooltip-element.visible', { hasText: /\d,\d{3}/ }).waitFor();
}

async function saved(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name, { exact: true }).last().click()]);
  return readFileSync(await file.path());
}

async function bars(page) {
  await ask(page);
  await badge(page).waitFor();
  await opens(page);
  await pointAt(page, chart(page).locator('.mark-rect path').first());
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark').waitFor();
  await chart(page).locator('svg').waitFor();
  await pointAt(page, chart(page).locator('.mark-rect path').last());
  await browser.shot('tooltip-dark');
  await browser.axe('a chart with a tooltip');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html.light').waitFor();
  for (const form of ['line', 'area', 'point', 'bar']) {
    await button(page, form, { exact: true }).click();
    await chart(page, form).locator('svg').waitFor();
  }
}

/** The wheel zooms into the time axis; a double click shows all again. */
async function zooms(page) {
  await ask(page, MONTHS);
  await badge(page).nth(1).waitFor();
  await opens(page);
  const plot = chart(page, 'line');
  await plot.scrollIntoViewIfNeeded();
  const all = await course(page);
  const goes = (otherwise) => page.waitForFunction(
    ([of, before, other]) => (of.querySelector('.mark-line path').getAttribute('d') !== before) === other,
    [plotted, all, otherwise],
  );
  const plotted = await plot.elementHandle();
  await plot.hover({ force: true });
  await page.mouse.wheel(0, -400);
  await goes(true);
  await browser.shot('zoomed');
  await plot.dblclick({ force: true });
  await goes(false);
  await button(page, 'Zoom in', { exact: true }).press('Enter');
  await goes(true);
  await button(page, 'Show all', { exact: true }).press('Enter');
  await goes(false);
}

async function fullScreen(page) {
  await button(page, 'Full screen').last().click();
  await chart(page).locator('svg').waitFor();
  await browser.axe('a chart that fills the screen');
  await browser.shot('full-screen');
  assert.match((await saved(page, 'SVG')).toString(), /^<svg/);
  const png = await saved(page, 'PNG');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 2000, 'as wide as it is seen, at twice the points');
  await pointAt(page, chart(page).locator('.mark-symbol path').first());
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'hidden' });
  await page.locator('#vg-tooltip-element.visible').waitFor({ state: 'hidden' });
  await chart(page).locator('svg').waitFor();
}

/** The measure of the plan is drawn; the reader chooses the series, and reads what the chart does with the rows. */
async function picks(page) {
  await ask(page, 'revenue by category and month in 2025');
  await badge(page).nth(2).waitFor();
  await opens(page);
  const pickers = page.getByRole('group', { name: 'What the chart shows' }).last();
  await pickers.getByRole('combobox', { name: 'Series' }).click();
  await browser.axe('the series of a chart');
  await page.getByRole('option', { name: 'None' }).click();
  await page.getByText('Rows with the same').last().waitFor();
  await browser.shot('picked');
}

/** A chart that is asked for comes before the text, without a click. */
async function asked(page) {
  await ask(page, 'chart of revenue by month in 2024');
  await badge(page).nth(3).waitFor();
  await chart(page, 'line').locator('svg').waitFor();
  const answer = page.locator('[data-role=assistant]').last();
  const top = async (place) => (await place.boundingBox()).y;
  assert.ok(await top(chart(page, 'line')) < await top(answer.locator('p, table').filter({ hasText: /revenue/i }).last()), 'the chart comes first');
  await browser.axe('a chart that comes first');
  await browser.shot('chart-first');
}

/** The chart says that its rows are cut, for the owner and in the shared chat. */
async function partly(page) {
  await outside('cut');
  await page.reload();
  const cut = page.getByText('A result was cut');
  await cut.waitFor();
  await opens(page);
  await page.getByText(/Drawn from [\d,]+ rows, read again at/).waitFor(); // the owner's chart has all of them
  const owners = page.url();
  for (const withRows of [true, false]) {
    await button(page, 'Share').click();
    if (withRows) await page.getByLabel('Include SQL and rows').check();
    await button(page, /^(Create|New) link$/).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await page.goto(link);
    await cut.waitFor();
    if (withRows) {
      await opens(page);
      await page.getByText(/Drawn from [\d,]+ of 1,000\+ rows\.$/).waitFor();
      await browser.axe('a shared chart');
      await browser.shot('shared-chart');
    }
    await page.goto(owners);
    await cut.waitFor();
  }
}

await tell(signIn, bars, zooms, fullScreen, picks, asked, partly);
