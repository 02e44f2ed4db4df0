/** From a database's address to an answer: connect, browse, choose tables, watch the build, ask. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, cell, outside, signIn, tell, url } from './story.mjs';

const chosen = (page) => page.getByRole('status').getByText(/tables are chosen/);

async function connects(page) {
  const at = await outside('database');
  await page.goto(`${url}/settings/data/connect`);
  for (const [label, value] of Object.entries(at)) await page.getByRole('main').getByLabel(label).fill(String(value));
  await page.getByLabel('Encrypted (TLS)').uncheck();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('Atlantis/Poseidonis');
  await button(page, 'Test', { exact: true }).click();
  await page.getByRole('alert').getByText(/time zone/).waitFor();
  await zone.fill('Europe/Lisb');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await browser.shot('wizard-connect');
  await button(page, 'Test', { exact: true }).click();
  await page.getByText(/ tables to read/).waitFor();
  await browser.axe('a connection that was tried');
  await button(page, 'Connect', { exact: true }).click();
  await page.waitForURL(/connection=/);
}

async function chooses(page) {
  await page.getByText(/ tables to read/).waitFor();
  const all = await chosen(page).innerText();
  const one = page.getByLabel('public.customers', { exact: true });
  await one.uncheck();
  assert.notEqual(await chosen(page).innerText(), all);
  assert.equal(await page.getByLabel('All of public').isChecked(), false);
  await button(page, 'Columns of public.orders').click();
  await page.getByRole('list', { name: 'Columns of orders' }).getByText('order_id').waitFor();
  await browser.axe('the tables of a database');
  await browser.shot('wizard-tables');
}

/** The database hangs, so the build is still in progress when it is stopped. */
async function stops(page) {
  await outside('shut');
  await button(page, 'Build the model').click();
  await page.waitForURL(/run=/);
  await page.getByRole('list', { name: 'Stages' }).waitFor();
  await page.reload();
  await page.getByRole('timer').waitFor();
  await browser.axe('a build');
  await browser.shot('wizard-build');
  await button(page, 'Stop').click();
  await page.getByText('Stopped. Nothing has changed').waitFor();
  await outside('reopen');
  await button(page, 'Again').click();
}

async function builds(page) {
  await page.getByLabel('public.customers', { exact: true }).uncheck();
  await page.getByLabel('Name of the model').fill('built in a browser');
  await page.getByLabel(/What should the agent know/).fill('Revenue is the sum of line_total.');
  await button(page, 'Build the model').click();
  await page.getByText(/"built in a browser" has \d+ datasets/).waitFor();
  await page.getByRole('link', { name: 'View the model' }).click();
  await page.getByRole('main').getByText('order_items').first().waitFor();
  await page.goBack();
  await page.getByText(/"built in a browser" has \d+ datasets/).waitFor();
  await browser.axe('a model that was built');
  await browser.shot('wizard-built');
}

async function asks(page) {
  await page.getByRole('link', { name: 'Ask a question' }).click();
  await page.getByRole('combobox', { name: 'Ontology' }).and(page.locator('[value^="built in a browser"]')).waitFor();
  await ask(page);
  await badge(page).waitFor();
  await cell(page, 'Dallas').waitFor();
}

// The unknown time zone.
browser.refusals = /^400 .api.connections.test$/;
await tell(signIn, connects, chooses, stops, builds, asks);
