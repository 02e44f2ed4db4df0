/**
 * The scientist: two attempts that fail are folded, the third draws. The figures, as charts and as a table, as a PNG;
 * in both themes and three widths. What a hostile figure says is text.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { badge, browser, button, log, outside, signIn, tell } from './story.mjs';

const QUESTION = 'What is the average line total of the order items?';
const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];

const chart = (page, name) => log(page).getByRole('img', { name });
const fold = (page, name) => log(page).getByRole('button', { name });

async function isChosen(page) {
  await outside('play');
  await button(page, 'Choose data and agent').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Data scientist' }).check();
  assert.ok(await dialog.getByRole('radio', { name: 'CSV analyst' }).isVisible());
  const ontology = dialog.getByRole('combobox', { name: 'Ontology' });
  await ontology.fill('retail');
  await page.getByRole('option', { name: /^retail/ }).first().click();
  await browser.axe('the dialog with four agents');
  await browser.shot('scientist-dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.locator('header').getByText('Data scientist', { exact: true }).waitFor();
}

async function answers(page) {
  await page.getByLabel('Your question').fill(QUESTION);
  await page.getByLabel('Your question').press('Enter');
  await chart(page, /Quantities/).locator('.main-svg').first().waitFor();
  await fold(page, /^Failed Attempt 1 failed/).waitFor();
  await fold(page, /^Failed Attempt 2 failed/).waitFor();
  await badge(page).waitFor();
}

async function isFolded(page) {
  assert.equal(await log(page).getByText('dff.mean').count(), 0);
  await fold(page, /Attempt 1 failed/).click();
  await log(page).getByText('SyntaxError').last().waitFor();
  await fold(page, 'Evaluation').click();
  await log(page).getByText('It is what it is.').waitFor();
  await browser.shot('scientist-attempts');
}

async function isHarmless(page) {
  // The browser's own faults (dialogs, requests, errors) fail the story elsewhere.
  await log(page).getByText('<script>alert(1)</script>').first().waitFor();
  assert.equal(await log(page).locator('svg a').count(), 0);
  assert.equal(await log(page).locator('svg script, svg image, svg foreignObject').count(), 0);
}

async function isATableAndAPicture(page) {
  const download = page.waitForEvent('download');
  await button(page, 'PNG').first().click();
  const bytes = readFileSync(await (await download).path());
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  await button(page, 'Table', { exact: true }).first().click();
  await log(page).getByRole('table', { name: /Quantities/ }).waitFor();
  await button(page, 'Chart', { exact: true }).first().click();
  await chart(page, /Quantities/).locator('.main-svg').first().waitFor();
}

async function isThereAfterAReload(page) {
  await page.reload();
  await chart(page, /Quantities/).locator('.main-svg').first().waitFor();
  await fold(page, /Attempt 2 failed/).waitFor();
}

async function looks(page) {
  if (await button(page, 'Close insights').isVisible()) await button(page, 'Close insights').click();
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await chart(page, /Quantities/).locator('.main-svg').first().scrollIntoViewIfNeeded();
      await browser.shot(`scientist-${wide}-${theme}`);
      await browser.fits(`the scientist (${wide})`);
      await browser.axe(`the scientist (${theme}, ${wide})`);
    }
  }
}

await tell(signIn, isChosen, answers, isFolded, isHarmless, isATableAndAPicture, isThereAfterAReload, looks);
