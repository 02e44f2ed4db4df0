/**
 * The ReAct agent with the built-in analyst: it becomes the default and answers a first question; its tool calls are
 * still shown after a reload, in both themes and on a phone.
 */
import assert from 'node:assert/strict';
import { badge, browser, button, cell, log, signIn, tell, url } from './story.mjs';

const QUESTION = 'revenue by city in 2025 as a bar chart';
const call = (page, label) => log(page).getByRole('button', { name: label }).first();

async function becomesTheDefault(page) {
  await page.goto(`${url}/settings`);
  await page.getByRole('radio', { name: 'ReAct' }).check();
  await browser.axe('the settings of the agent');
  await browser.shot('react-settings');
  await page.goto(`${url}/agent`);
  await page.getByRole('combobox', { name: 'Agent' }).getByText('ReAct').waitFor();
  await browser.shot('react-welcome');
}

async function isChosenInTheDialog(page) {
  await button(page, 'Choose data and agent').click();
  const dialog = page.getByRole('dialog');
  assert.ok(await dialog.getByRole('radio', { name: 'ReAct' }).isChecked());
  await browser.axe('the dialog for a new chat');
  await browser.shot('react-dialog');
  const ontology = dialog.getByRole('combobox', { name: 'Ontology' });
  await ontology.fill('retail');
  await page.getByRole('option', { name: /^retail/ }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}/);
  await page.locator('header').getByText('ReAct', { exact: true }).waitFor();
}

async function answers(page) {
  await page.getByLabel('Your question').fill(QUESTION);
  await page.getByLabel('Your question').press('Enter');
  await badge(page).waitFor();
  await cell(page, 'Dallas').waitFor();
  await call(page, /Analyzed data/).waitFor();
  await call(page, /Ran Python analysis/).waitFor();
  await log(page).getByRole('img', { name: /^Chart/ }).first().waitFor();
  const panel = page.getByRole('complementary', { name: 'Insights' });
  await panel.getByRole('button', { name: 'Tool Calls' }).waitFor();
  assert.equal(await panel.getByText('Phase Details').count(), 0);
  await browser.axe('an answer of ReAct');
  await browser.shot('react-answer');
}

async function isThereAfterAReload(page) {
  await page.reload();
  await call(page, /Analyzed data/).click();
  await log(page).getByText('Arguments').waitFor();
  await log(page).getByRole('group', { name: 'SQL' }).getByText('SELECT').first().waitFor();
  await log(page).getByText(/\| Dallas/).waitFor();
  await browser.axe('a tool call');
  await browser.shot('react-call');
}

async function looks(page) {
  await button(page, 'Close insights').click();
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [width, height] of [[1280, 850], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await browser.shot(`react-${width}-${theme}`);
      await browser.fits(`ReAct at ${width} px`);
      await browser.axe(`ReAct (${theme}, ${width} px)`);
    }
  }
}

await tell(signIn, becomesTheDefault, isChosenInTheDialog, answers, isThereAfterAReload, looks);
