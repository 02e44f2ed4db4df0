/**
 * Files: chosen, dropped and tried; what was found in them; a question to each of the agents that need no key; a
 * refusal; delete with undo; in both themes and three widths.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { browser, button, cell, log, signIn, tell, url } from './story.mjs';

const SAMPLES = fileURLToPath(new URL('../public/samples/', import.meta.url));
const QUESTION = 'How many stations per city?';
const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];

const dialog = (page) => page.getByRole('dialog');
const list = (page) => page.getByRole('region', { name: 'Files' });
const line = (page, name) => list(page).getByRole('row').filter({ hasText: name });

async function look(page, name) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await browser.shot(`files-${name}-${wide}-${theme}`);
      await browser.fits(`${name} (${wide})`);
      await browser.axe(`${name} (${theme}, ${wide})`);
    }
  }
  await page.setViewportSize({ width: 1360, height: 850 });
}

/** Drops files on the body, as a file manager does. */
async function drop(page, files, at = 'drop') {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer();
    all.forEach(([name, text]) => made.items.add(new File([text], name)));
    return made;
  }, files);
  await page.dispatchEvent('body', at, { dataTransfer: transfer });
}

async function samplesAreTried(page) {
  await page.goto(`${url}/settings/data`);
  await page.getByText(/No files yet/).waitFor();
  await look(page, 'none');
  await button(page, 'Try the sample files').click();
  const columns = dialog(page).getByRole('table', { name: 'Columns of stations' });
  await columns.waitFor();
  await columns.getByRole('row', { name: /^opened_on date/ }).waitFor();
  await dialog(page).getByRole('table', { name: 'First rows of stations' }).waitFor();
  await look(page, 'profile');
  await dialog(page).getByRole('button', { name: /^rentals/ }).click();
  const rating = dialog(page).getByRole('table', { name: 'Columns of rentals' }).getByRole('row', { name: /^rating/ });
  assert.match(await rating.innerText(), /whole number/);
}

async function isAsked(page) {
  await dialog(page).getByRole('link', { name: 'Ask about it' }).click();
  await page.waitForURL(/\/agent\?ontology=/);
  const input = page.getByLabel('Your question');
  await input.fill(QUESTION);
  await page.locator('button[aria-label=Send]:enabled').waitFor();
  await input.press('Enter');
  await cell(page, 'Lisbon').waitFor();
  await button(page, 'CSV').first().waitFor();
  const download = page.waitForEvent('download');
  await button(page, 'CSV').first().click();
  const text = readFileSync(await (await download).path(), 'utf8');
  assert.match(text, /Lisbon,6/);
  await log(page).getByText(/^Data: .*stations/).waitFor();
  await button(page, 'Close insights').click();
  await look(page, 'answer');
}

async function isDropped(page) {
  await drop(page, [['towns.csv', 'town,people\nÉvora,56596\nBeja,\n']], 'dragenter');
  await page.getByText('Drop files to ask about them').waitFor();
  await look(page, 'overlay');
  await drop(page, [['towns.csv', 'town,people\nÉvora,56596\nBeja,\n']]);
  const columns = dialog(page).getByRole('table', { name: 'Columns of towns' });
  await columns.waitFor();
  assert.equal(await page.getByText('Drop files to ask about them').count(), 0);
  await button(dialog(page), 'Close').click();
}

async function isRefused(page) {
  await drop(page, [['zipped.csv', 'PK\u0003\u0004\u0000\u0000\u0000\u0000\u0000\u0000']]);
  await dialog(page).getByRole('alert').waitFor();
  assert.match(await dialog(page).getByRole('alert').innerText(), /zipped\.csv: The file is /);
  await browser.axe('a refused file');
  await browser.shot('files-refused');
  await button(dialog(page), 'Close').click();
}

async function isDeletedAndRestored(page) {
  await page.goto(`${url}/settings/data`);
  await line(page, 'towns').waitFor();
  assert.equal(await list(page).getByText('zipped').count(), 0);
  await look(page, 'list');
  await button(page, 'Delete towns').click();
  await line(page, 'towns').waitFor({ state: 'detached' });
  await page.getByText('"towns" deleted').waitFor();
  await button(page, 'Undo').click();
  await line(page, 'towns').waitFor();
  await button(page, 'Open the files of towns').click();
  await dialog(page).getByRole('table', { name: 'Columns of towns' }).waitFor();
  await page.keyboard.press('Escape');
}

browser.expected = /status of 422/;
await tell(signIn, samplesAreTried, isAsked, isDropped, isRefused, isDeletedAndRestored);
