/** The agent asks back; the user replies in its card, and the reply is remembered. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, log, outside, signIn, tell } from './story.mjs';

async function asksBack(page) {
  await outside('ask_back');
  await ask(page);
  await page.getByText('Before I query the data: please clarify').waitFor();
  await log(page).getByText('Otherwise: the last six months').waitFor();
  await browser.axe('a clarification');
  await browser.shot('clarification');
}

async function answered(page) {
  await button(page, 'Answer', { exact: true }).click();
  const field = page.getByLabel('Which period is meant?');
  await field.fill('the year 2025');
  await Promise.all([page.getByText('1 preference saved: time_window').waitFor(), field.press('Enter')]);
  await badge(page).waitFor();
  await log(page).getByText('Which period is meant?: the year 2025').waitFor();
  assert.equal(await button(page, 'Proceed with assumptions').count(), 0, 'it is answered');
}

async function remembered(page) {
  await button(page, 'Preferences').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Ontology' }).click();
  await dialog.getByText('the year 2025').waitFor();
  await browser.axe('what is remembered');
}

await tell(signIn, asksBack, answered, remembered);
