/**
 * The CSV analyst without a language model: a query and code that run as they are. Each call has a badge, which says what
 * runs and then that it is done; a query that is refused says why. In both themes, on a desktop and a phone.
 */
import assert from 'node:assert/strict';
import { browser, button, cell, log, signIn, tell, url } from './story.mjs';

const dialog = (page) => page.getByRole('dialog');

async function send(page, words) {
  const input = page.getByLabel('Your question');
  await input.fill(words);
  await page.locator('button[aria-label=Send]:enabled').waitFor();
  await input.press('Enter');
}

async function look(page, name) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of [['wide', 1360, 850], ['phone', 390, 844]]) {
      await page.setViewportSize({ width, height });
      await browser.shot(`csv-${name}-${wide}-${theme}`);
      await browser.fits(`${name} (${wide})`);
      await browser.axe(`${name} (${theme}, ${wide})`);
    }
  }
  await page.setViewportSize({ width: 1360, height: 850 });
}

async function isChosen(page) {
  await page.goto(`${url}/settings/data`);
  await button(page, 'Try the sample files').click();
  await dialog(page).getByText('Ready for questions: Bicycle rentals').waitFor();
  await dialog(page).getByRole('link', { name: 'Ask about it' }).click();
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: 'CSV analyst' }).click();
}

async function runsAQuery(page) {
  await send(page, 'SQL: SELECT city, count(*) AS stations FROM stations GROUP BY city ORDER BY stations DESC, city');
  await cell(page, 'Lisbon').first().waitFor();
  await page.locator('header').getByText('Bicycle rentals', { exact: true }).waitFor();
  await page.locator('header').getByText('CSV analyst', { exact: true }).waitFor();
  await log(page).getByRole('button', { name: /execute_sql.*Done/ }).waitFor();
  assert.equal(await log(page).getByText(/^Running execute_sql/).count(), 0);
}

async function runsCode(page) {
  await send(page, "PYTHON: import time\ntime.sleep(5)\nresult_df = datasets['rentals'].head(3)");
  await log(page).getByText('Running execute_python …').waitFor();
  await browser.shot('csv-running');
  await log(page).getByRole('button', { name: /execute_python.*Done/ }).waitFor();
  assert.equal(await log(page).getByText(/^Running execute_python/).count(), 0);
  await button(page, 'Stop').waitFor({ state: 'detached' });
  await log(page).getByText('3 of 3 rows').or(log(page).getByText('3 rows', { exact: true })).last().waitFor();
}

async function saysWhatIsRefused(page) {
  await send(page, 'SQL: DELETE FROM stations');
  await log(page).getByRole('button', { name: /execute_sql.*Failed/ }).waitFor();
  await button(page, 'Stop').waitFor({ state: 'detached' });
  if (await button(page, 'Close insights').isVisible()) await button(page, 'Close insights').click();
  await look(page, 'answers');
}

async function isThereAfterAReload(page) {
  await page.reload();
  await log(page).getByRole('button', { name: /execute_sql.*Failed/ }).waitFor();
  assert.equal(await log(page).getByRole('button', { name: /execute_(sql|python).*Done/ }).count(), 2);
}

await tell(signIn, isChosen, runsAQuery, runsCode, saysWhatIsRefused, isThereAfterAReload);
