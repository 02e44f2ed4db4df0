/** The ReAct agent at work: text and tool calls appear one by one and survive a reload; the answer can be stopped between them. */
import assert from 'node:assert/strict';
import { browser, button, log, outside, QUESTION, signIn, tell } from './story.mjs';

const calls = (page) => log(page).getByRole('button', { name: /Analyzed data/ });
const thought = (page) => log(page).getByRole('note', { name: 'Thinking' }).getByText('Let me look.');
const answer = (page) => log(page).getByText('sells most');

/** The first round is complete; the model has not answered the second request. */
async function seeRound(page) {
  await thought(page).waitFor();
  await log(page).getByRole('img', { name: 'Done' }).waitFor();
  await button(page, 'Stop').waitFor();
  await page.getByText(/^Thinking…/).getByText('1 tool call', { exact: true }).waitFor();
}

async function ask(page) {
  const input = page.getByLabel('Your question');
  await input.fill(QUESTION);
  await page.locator('button[aria-label=Send]:enabled').waitFor();
  await outside('hold');
  await input.press('Enter');
}

async function isChosenForAFirstQuestion(page) {
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: 'ReAct' }).click();
  await ask(page);
  await seeRound(page);
  await page.getByRole('complementary', { name: 'Insights' }).getByText('Tool calls', { exact: true }).waitFor();
  await browser.axe('a tool call while the agent works');
  await browser.shot('react-live');
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, 'Close insights').click();
  await browser.shot('react-live-phone');
  await browser.fits('a tool call on a phone');
  await page.setViewportSize({ width: 1360, height: 850 });
}

async function isFollowedAfterAReload(page) {
  await page.reload();
  await seeRound(page);
  await calls(page).last().click();
  await log(page).getByText(/\| Dallas/).waitFor();
}

async function keepsItsCalls(page) {
  await outside('release');
  await answer(page).waitFor();
  await button(page, 'Stop').waitFor({ state: 'detached' });
  assert.equal(await calls(page).count(), 1);
  assert.equal(await thought(page).count(), 0);
  await page.reload();
  await answer(page).waitFor();
  assert.equal(await calls(page).count(), 1);
}

async function isStopped(page) {
  await ask(page);
  await seeRound(page);
  await button(page, 'Stop').click();
  await log(page).getByText('Stopped.').waitFor();
  await page.reload();
  await log(page).getByText('Stopped.').waitFor();
  assert.equal(await calls(page).count(), 2);
  await browser.shot('react-stopped');
}

await tell(signIn, isChosenForAFirstQuestion, isFollowedAfterAReload, keepsItsCalls, isStopped);
