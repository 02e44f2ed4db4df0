/** An answer is pinned to a board, arranged, refreshed and exported; its question is asked on a schedule. */
import { readFileSync } from 'node:fs';
import { ask, badge, browser, button, cell, look, outside, signIn, tell, url } from './story.mjs';

const cards = (page) => page.getByRole('list', { name: 'Cards' }).getByRole('listitem');
const menu = async (page, title, entry) => {
  await button(page, `More for ${title}`).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

async function empty(page) {
  await page.goto(`${url}/boards`);
  await page.getByText('No boards yet.').waitFor();
  await look(page, 'boards-empty');
}

async function pins(page) {
  await page.goto(`${url}/agent`);
  await ask(page);
  await badge(page).waitFor();
  await cell(page, 'Dallas').waitFor();
  await button(page, 'Pin to board').click();
  const dialog = page.getByRole('dialog', { name: 'Pin to board' });
  await dialog.getByLabel('Name of the board').fill('Monday');
  await dialog.getByLabel('Title of the card').fill('Revenue');
  await look(page, 'pin-dialog');
  await button(dialog, 'Pin').click();
  await page.getByText('Pinned to Monday').waitFor();
  await button(page, 'Pin to board').click();
  await dialog.getByLabel('Title of the card').fill('Rows of it');
  await dialog.getByLabel('Show as').click();
  await page.getByRole('option', { name: 'Table only' }).click();
  await button(dialog, 'Pin').click();
  await dialog.waitFor({ state: 'detached' });
}

async function arranges(page) {
  await page.goto(`${url}/boards`);
  await page.getByRole('link', { name: /^Monday/ }).click();
  await page.getByRole('img', { name: /bar chart of .*Revenue/ }).locator('svg').waitFor();
  await page.getByRole('group', { name: 'Rows: Rows of it' }).getByRole('cell', { name: 'Dallas' }).waitFor();
  await look(page, 'board');
  await menu(page, 'Revenue', 'Move later');
  await cards(page).first().getByRole('heading', { name: 'Rows of it' }).waitFor();
  await menu(page, 'Revenue', 'Full width');
  await menu(page, 'Revenue', 'SQL');
  await page.getByRole('group', { name: 'SQL' }).getByText('GROUP BY').waitFor();
  await menu(page, 'Revenue', 'Title and chart…');
  const dialog = page.getByRole('dialog', { name: 'Title and chart' });
  await dialog.getByLabel('Title of the card').fill('Revenue <b>2025</b>');
  await button(dialog, 'Save').click();
  await page.getByRole('heading', { name: 'Revenue <b>2025</b>' }).waitFor();
  await page.reload();
  await cards(page).nth(1).getByRole('heading', { name: 'Revenue <b>2025</b>' }).waitFor();
}

async function refreshes(page) {
  const before = await page.getByText(/rows of /).first().innerText();
  await button(page, 'Refresh all').click();
  await button(page, 'Refresh all').waitFor();
  await page.waitForFunction((was) => !document.body.innerText.includes(was), before);
}

async function exports(page) {
  const download = page.waitForEvent('download');
  await button(page, 'HTML file').click();
  const file = await download;
  if (file.suggestedFilename() !== 'monday.html') browser.wrongs.push(`the file is ${file.suggestedFilename()}`);
  const path = await file.path();
  const text = readFileSync(path, 'utf8');
  if (/<script|<b>2025/i.test(text)) browser.wrongs.push('the file has what was not escaped');
  const tab = await browser.context.newPage();
  await tab.setContent(text);
  await tab.getByRole('img', { name: /bar chart of/ }).waitFor();
  await tab.getByRole('cell', { name: 'Dallas' }).first().waitFor();
  await tab.screenshot({ path: `${process.argv[5] ?? '/tmp'}/board-file.png`, fullPage: true });
  await tab.close();
}

async function removes(page) {
  await menu(page, 'Rows of it', 'Remove');
  await button(page.getByRole('dialog'), 'Remove').click();
  await cards(page).nth(1).waitFor({ state: 'detached' });
  await button(page, 'Delete board').click();
  await button(page.getByRole('dialog'), 'Delete').click();
  await page.getByText('No boards yet.').waitFor();
}

async function schedules(page) {
  await page.goto(`${url}/schedules`);
  await page.getByText('No schedules yet.').waitFor();
  await page.goto(`${url}/agent`);
  await ask(page);
  await badge(page).waitFor();
  await button(page, 'Ask on a schedule').click();
  const dialog = page.getByRole('dialog', { name: 'Ask this on a schedule' });
  await dialog.getByText(/^Next: /).waitFor();
  await dialog.getByLabel('Condition', { exact: true }).and(page.getByRole('combobox')).click();
  await page.getByRole('option', { name: 'falls by' }).click();
  await dialog.getByLabel('Webhook').fill('https://hooks.example.org/sales');
  await look(page, 'schedule-dialog');
  await button(dialog, 'Schedule').click();
  await page.getByRole('dialog', { name: 'Secret of the webhook' }).getByLabel('Secret', { exact: true }).waitFor();
  await look(page, 'schedule-secret');
  await button(page, 'Done').click();
  await page.goto(`${url}/schedules`);
  await page.getByText(/Mondays at 08:00/).waitFor();
  await outside('due');
  await button(page, /^Runs of /).click();
  await page.getByRole('link', { name: 'answer' }).waitFor();
  await look(page, 'schedules');
  await button(page, /^Pause /).click();
  await button(page, /^Resume /).waitFor();
  await page.getByRole('link', { name: 'answer' }).click();
  await cell(page, 'Dallas').waitFor();
  await page.goBack();
  await button(page, /^Delete /).click();
  await button(page.getByRole('dialog'), 'Delete').click();
  await page.getByText('No schedules yet.').waitFor();
}

await tell(signIn, empty, pins, arranges, refreshes, exports, removes, schedules);
