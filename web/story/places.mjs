/** A question that waits for an answer, examples of a refusal, parameters, pinned and archived chats, what a search found, a link that expires. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, cell, log, openTab, signIn, tell } from './story.mjs';

const NEXT = 'What are the top 5 products by units sold?';
const chats = (page) => page.getByRole('navigation', { name: 'Chats' });
const chat = (page, name) => chats(page).getByRole('link', { name });

/** Waits until this many questions have their answers. Those far above are not rendered in full. */
async function answered(page, count) {
  await page.waitForFunction((n) => document.querySelectorAll('[data-role=user]').length === n, count);
  await button(page, 'Send').waitFor();
  await badge(page).last().waitFor();
}

async function waits(page) {
  await ask(page);
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}/);
  const input = page.getByLabel('Your question');
  await input.fill(NEXT);
  await input.press('Enter'); // while the first answer is written, or just after it
  await cell(page, 'Ground Coffee').waitFor();
  await answered(page, 2);
  assert.equal(await page.getByRole('group', { name: 'Asked next' }).count(), 0);
  await browser.axe('two answers');
}

async function isShownOnce(page) {
  assert.equal(await log(page).getByRole('group', { name: 'Table' }).count(), 0, 'the rows are shown once');
  await button(page, /to check that the groups add up/).first().click();
  await browser.axe('a query that checks another one');
}

async function isComputedForOtherThings(page) {
  await page.getByRole('group', { name: 'Computed for' }).getByRole('button', { name: /^By: / }).click();
  await browser.axe('the menu of a parameter');
  await page.getByRole('menuitem', { name: 'Only the total' }).click();
  await answered(page, 3);
}

async function refuses(page) {
  await ask(page, 'What is the airspeed of a swallow?');
  await log(page).getByText('I cannot answer this').waitFor();
  await log(page).locator('li button').first().click(); // an example
  await answered(page, 5);
}

async function isRatedAndCopied(page) {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const answer = log(page).locator('[id^="m-"]').last(); // whose buttons come after its text
  await button(answer, 'Good answer').click();
  await page.locator('[aria-label="Good answer"][aria-pressed=true]').waitFor();
  await button(answer, 'Bad answer').click();
  await page.getByLabel('What was wrong? (optional)').fill('Returns are missing.');
  await browser.axe('what was wrong');
  const sent = page.waitForRequest((request) => request.url().endsWith('/feedback') && /reason/.test(request.postData() ?? ''));
  await button(page, 'Send').last().click();
  assert.deepEqual((await sent).postDataJSON(), { rating: 'down', reason: 'Returns are missing.' });
  await page.locator('[aria-label="Bad answer"][aria-pressed=true]').waitFor();
  assert.equal(await page.locator('[aria-label="Good answer"][aria-pressed=true]').count(), 0);
  await button(page, 'Copy link').last().click();
  await page.getByText('link copied').waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  assert.match(await copied(), /\/agent\/[0-9a-f-]{36}#m-[0-9a-f-]{36}$/);
  await button(page, 'Copy answer').last().click();
  await page.getByText('answer copied').waitFor();
  assert.match(await copied(), /\w+ \w+/);
  await page.getByRole('tab', { name: 'SQL' }).last().click();
  await button(page, 'Copy SQL').last().click();
  await page.getByText('SQL copied').waitFor();
  assert.match(await copied(), /^SELECT\b/i);
}

async function isAskedOffline(page) {
  browser.expected = /ERR_INTERNET_DISCONNECTED/;
  await browser.context.setOffline(true);
  await page.getByLabel('Your question').fill('What is the revenue by segment?');
  await page.getByLabel('Your question').press('Enter');
  await page.getByText('The question was not sent').waitFor();
  await browser.axe('a question that was not sent');
  await browser.shot('offline');
  await browser.context.setOffline(false);
  await button(page, 'Retry').click();
  await page.getByRole('group', { name: 'Computed for' }).getByRole('button', { name: /^By: .*segment/ }).waitFor();
}

async function isFound(page) {
  await page.getByLabel('Search chats').fill('dallas');
  await chats(page).locator('mark').getByText('Dallas').first().waitFor();
  await browser.axe('what a search found');
  await browser.shot('search');
  await page.getByLabel('Search chats').fill('');
  await chats(page).locator('mark').first().waitFor({ state: 'detached' }); // a menu of what was found would go with it
}

async function isPinnedAndArchived(page) {
  const acts = () => chats(page).getByRole('button', { name: /^Actions for / }).first();
  await acts().click({ force: true });
  await browser.axe('the menu of a chat');
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await chats(page).getByRole('heading', { name: 'Pinned' }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await acts().click({ force: true });
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await chats(page).getByText('No chats yet').waitFor();
  await button(page, 'Archived chats').click();
  await chat(page, /revenue by city/).waitFor();
  await button(page, 'Undo').click();
  await button(page, 'All chats').click();
  await chat(page, /revenue by city/).waitFor();
}

async function isSharedForATime(page) {
  await button(page, 'Share', { exact: true }).click();
  await page.getByLabel('Expires').click();
  await page.getByRole('option', { name: 'In 7 days' }).click();
  await button(page, 'Create link').click();
  await page.getByRole('dialog').getByText(/It expires /).waitFor();
  await browser.axe('a link that expires');
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await button(page, 'Close', { exact: true }).click();
  const visitor = await openTab(link);
  await visitor.getByText('The table is not shared.').first().waitFor();
  await visitor.getByText(/the link expires/).waitFor();
  await visitor.close();
  assert.ok((await button(page, 'Copy link').count()) > 0);
}

await tell(signIn, waits, isShownOnce, isComputedForOtherThings, refuses, isRatedAndCopied, isAskedOffline, isFound, isPinnedAndArchived, isSharedForATime);
