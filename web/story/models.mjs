/** Another model answers the same question; each version keeps its evidence. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, halves, log, outside, signIn, tell, wholes } from './story.mjs';

const panel = (page) => page.getByRole('complementary', { name: 'Insights' });
const cards = (page, provider) => panel(page).getByText(new RegExp(`^${provider}/`));
const version = (page, text) => page.getByRole('group', { name: 'Versions' }).getByText(text, { exact: true });

/** A list that scrolls to its end may move the button away from the pointer: click again. */
async function opens(page, item) {
  for (let tries = 0; tries < 3; tries++) {
    await button(page, 'Answer again').click();
    if (await item.waitFor({ timeout: 10000 }).then(() => true, () => false)) return;
    await page.keyboard.press('Escape');
  }
  await item.waitFor();
}

async function again(page, model) {
  const item = page.getByRole('menuitem', { name: model });
  await opens(page, item);
  await item.click();
  await page.getByRole('menu').waitFor({ state: 'hidden' }); // until then the menu handles Escape
}

async function asks(page) {
  await ask(page);
  await badge(page).waitFor();
  await cards(page, 'openai').first().waitFor();
  assert.equal(await cards(page, 'anthropic').count(), 0);
}

async function another(page) {
  await opens(page, page.getByRole('menuitem', { name: /^with OpenAI/ }));
  await browser.axe('the models that may answer again');
  await browser.shot('answer-again');
  await page.keyboard.press('Escape');
  await again(page, /^with Anthropic/);
  await version(page, '2/2').waitFor();
  await wholes(page).waitFor();
  await badge(page).waitFor();
  await cards(page, 'anthropic').first().waitFor();
  assert.equal(await cards(page, 'openai').count(), 0);
  await button(page, 'Earlier version').click();
  await version(page, '1/2').waitFor();
  await cards(page, 'openai').first().waitFor();
  await page.reload();
  await version(page, '2/2').waitFor();
  await cards(page, 'anthropic').first().waitFor();
  await page.getByRole('combobox', { name: 'Language model' }).getByText(/^Default/).waitFor();
}

async function stopped(page) {
  await outside('hold');
  await again(page, /^with OpenAI/);
  await version(page, '3/3').or(halves(page)).first().waitFor();
  await halves(page).waitFor();
  await page.keyboard.press('Escape');
  await log(page).getByText('Stopped.').waitFor();
  await version(page, '3/3').waitFor();
  await button(page, 'Earlier version').click();
  await wholes(page).waitFor();
  await cards(page, 'anthropic').first().waitFor();
}

/** From now on the model of this chat. */
async function chosen(page) {
  await page.getByRole('combobox', { name: 'Language model' }).click();
  await page.getByRole('option', { name: /^Anthropic/ }).click();
  await page.getByRole('combobox', { name: 'Language model' }).getByText(/^Anthropic/).waitFor();
  await button(page, 'Later version').click();
  await version(page, '3/3').waitFor();
  await again(page, 'Answer again');
  await version(page, '4/4').waitFor();
  await badge(page).waitFor();
  await cards(page, 'anthropic').first().waitFor();
}

await tell(signIn, asks, another, stopped, chosen);
