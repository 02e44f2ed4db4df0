/** The SQL console: from the menu, completion, an error and its place, rows, a chart, a plan, saved queries, history, and from an answer. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, cell, email, log, signIn, tell, url } from './story.mjs';

const QUERY = 'select city, count(*) as stores from stores group by city order by stores desc, city';
const editor = (page) => page.getByRole('textbox', { name: 'SQL', exact: true });

async function write(page, text) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function opensFromTheMenu(page) {
  await button(page, email).click();
  await page.getByRole('menuitem', { name: 'SQL console' }).click();
  await page.waitForURL(/\/sql/);
  await editor(page).waitFor();
  await page.getByText('No saved queries').waitFor();
  await browser.axe('an empty console');
  await browser.shot('console-empty');
}

async function completes(page) {
  await write(page, '');
  await page.keyboard.type('select * from sto');
  const option = page.getByRole('option', { name: /^stores/ }).first();
  await option.waitFor();
  await browser.shot('console-completion');
  await page.keyboard.press('Escape');
  await write(page, '');
  await page.keyboard.type('select completed_rev');
  await page.getByRole('option', { name: /completed_revenue/ }).first().waitFor();
  await page.keyboard.press('Escape');
}

async function saysWhereAnErrorIs(page) {
  await write(page, 'select city,\n  citi\nfrom stores');
  await page.keyboard.press('ControlOrMeta+Enter');
  const place = button(page, 'Line 2, column 3');
  await place.waitFor();
  assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'citi');
  await browser.axe('an error');
  await browser.shot('console-error');
  await write(page, 'drop table stores');
  await button(page, 'Run').click();
  await page.getByText('SQL_REFUSED').waitFor();
}

async function showsRowsAndAChart(page) {
  await write(page, QUERY);
  await button(page, 'Run').click();
  await cell(page, 'Dallas').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'stores' }).getAttribute('title'), 'stores: int8');
  await browser.axe('a result');
  await browser.shot('console-rows');
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.getByRole('img', { name: /chart of stores by city/ }).waitFor();
  await browser.shot('console-chart');
  const file = page.waitForEvent('download');
  await button(page, 'CSV').click();
  assert.equal((await file).suggestedFilename(), 'query.csv');
}

async function explains(page) {
  await write(page, "select s.city, count(*) from orders o join stores s on s.store_id = o.store_id where o.status = 'completed' group by s.city");
  await button(page, 'Explain').click();
  await page.getByRole('region', { name: 'Plan' }).getByText('orders').first().waitFor();
  await browser.axe('a plan');
  await browser.shot('console-plan');
}

async function savesAndOpens(page) {
  await write(page, QUERY);
  await button(page, 'Save', { exact: true }).click();
  await page.getByLabel('Name').fill('Stores by city');
  await browser.axe('the dialog to save a query');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await button(page, 'Open Stores by city').waitFor();
  await write(page, 'select 1');
  await button(page, 'Open Stores by city').click();
  await editor(page).getByText('stores desc').waitFor();
  await button(page, 'History').click();
  await page.getByRole('list', { name: 'Latest queries' }).getByRole('button').first().waitFor();
  await browser.axe('saved queries and history');
  await browser.shot('console-saved');
  await button(page, 'Delete Stores by city').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No saved queries').waitFor();
}

async function looks(page) {
  await button(page, 'Run').click();
  await cell(page, 'Dallas').waitFor();
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [width, height] of [[1280, 850], [768, 1024], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await browser.shot(`console-${width}-${theme}`);
      await browser.fits(`the console at ${width} px`);
      await browser.axe(`the console (${theme}, ${width} px)`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 850 });
}

async function comesFromAnAnswer(page) {
  await page.goto(`${url}/agent`);
  await ask(page);
  await badge(page).waitFor();
  await log(page).getByRole('tab', { name: 'SQL' }).first().click();
  await log(page).getByRole('link', { name: 'Open in SQL console' }).first().click();
  await page.waitForURL(/\/sql\?ontology=/);
  await editor(page).getByText('SELECT').first().waitFor();
  await button(page, 'Run').click();
  await cell(page, 'Dallas').waitFor();
  await browser.shot('console-from-answer');
}

browser.refusals = /^400 .api.sql.run$/; // queries with an error
await tell(signIn, opensFromTheMenu, completes, saysWhereAnErrorIs, showsRowsAndAChart, explains, savesAndOpens, looks, comesFromAnAnswer);
