/**
 * The main story: a user signs in, asks, reads the evidence of the answer, edits, shares, deletes.
 *
 *   node story/main.mjs URL EMAIL PASSWORD [FOLDER for screenshots]
 */
import assert from 'node:assert/strict';
import { badge, browser, button, cell, email, password, QUESTION, tell, url } from './story.mjs';

async function signIn(page) {
  await page.goto(`${url}/agent`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await button(page, 'Sign in').click();
  await page.getByRole('alert').waitFor();
  await browser.axe('the sign-in page');
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'Data Agent' }).waitFor();
  await browser.axe('the welcome screen');
  await browser.shot('welcome');
}

async function ask(page) {
  const example = page.getByRole('main').locator('.MuiCardActionArea-root').first();
  const text = await example.innerText();
  await example.click();
  const input = page.getByLabel('Your question');
  assert.ok(text.endsWith(await input.inputValue()));
  await input.fill(QUESTION);
  await page.locator('button[aria-label=Send]:enabled').waitFor();
  await input.press('Enter');
  await page.getByRole('log').getByText(QUESTION).waitFor();
  await badge(page).waitFor();
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}/);
  await cell(page, 'Dallas').waitFor();
  await readFromItsBeginning(page);
  await browser.axe('an answer');
  await browser.shot('answer');
}

/** However long an answer is, its question stays visible until the user scrolls to the end. */
async function readFromItsBeginning(page) {
  const scrolled = (inSight) => page.waitForFunction((wanted) => {
    const box = document.querySelector('[data-scrolls]');
    const top = (element) => element.getBoundingClientRect().top;
    const end = box.scrollHeight - box.clientHeight - box.scrollTop < 2;
    return top([...box.querySelectorAll('[data-role=user]')].at(-1)) >= top(box) === wanted && end !== wanted;
  }, inSight);
  await scrolled(true);
  await button(page, 'To the latest message').click();
  await scrolled(false);
  await page.reload();
  await cell(page, 'Dallas').waitFor();
  await scrolled(true);
}

async function evidence(page) {
  await badge(page).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'SQL' }).first().click();
  await page.getByRole('group', { name: 'SQL' }).getByText('GROUP BY').waitFor();
  await page.getByRole('tab', { name: 'Chart' }).first().click();
  await page.getByRole('img', { name: /bar chart/ }).locator('svg').waitFor();
  await browser.axe('a chart');
  const saved = (name) => browser.saved(() => button(page, name, { exact: true }).first().click());
  assert.match((await saved('SVG')).bytes.toString(), /^<svg[^]*Dallas/);
  assert.equal((await saved('PNG')).bytes.subarray(1, 4).toString(), 'PNG');
  await button(page, 'Lineage', { exact: true }).click();
  const csv = await saved('CSV');
  assert.match(csv.bytes.toString(), /Dallas/);
  assert.equal(csv.name, 'revenue-by-city-in-2025.csv');
  assert.equal((await saved('XLSX')).bytes.subarray(0, 2).toString(), 'PK');
}

async function insights(page) {
  const panel = page.getByRole('complementary', { name: 'Insights' });
  await panel.getByText('Execution Plan').waitFor();
  await panel.getByText('Phase Details').waitFor();
  await page.waitForLoadState('networkidle'); // the traces were asked for
  assert.equal(await panel.getByText('LLM Traces').count(), 0, 'no model was called');
}

async function again(page) {
  await page.reload();
  await badge(page).waitFor();
  await button(page, 'Edit the question').click();
  await page.getByLabel('Edit the question').fill('revenue by city in 2024');
  await button(page, 'Ask again').click();
  await page.getByText('2/2').waitFor();
  await badge(page).waitFor();
  await button(page, 'Earlier version').click();
  await page.getByRole('log').getByText(QUESTION).waitFor();
  await button(page, 'Good answer').click();
  const thumb = page.locator('[aria-pressed=true][aria-label="Good answer"]');
  await thumb.waitFor();
  const tip = page.getByRole('tooltip', { name: 'Good answer' });
  await tip.waitFor();
  assert.ok((await tip.boundingBox()).y < (await thumb.boundingBox()).y, 'a tooltip covers nothing below its button');
}

async function next(page) {
  const chip = page.getByRole('group', { name: 'Ask next' }).getByRole('button').first();
  const question = await chip.innerText();
  assert.match(question, /^revenue by /);
  await chip.click();
  await page.getByRole('log').getByText(question, { exact: true }).waitFor();
  await badge(page).nth(1).waitFor();
}

async function preferences(page) {
  await button(page, 'Preferences').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key').fill('currency');
  await dialog.getByLabel('Value').fill('EUR');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('EUR').waitFor();
  await browser.axe('the preferences');
  await dialog.getByRole('button', { name: 'Delete currency' }).click();
  await dialog.getByText('No preferences yet.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

async function share(page) {
  await button(page, 'Share').click();
  await page.getByLabel('Include SQL and rows').check();
  await button(page, 'Create link').click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await browser.axe('the share dialog');
  await button(page, 'Close', { exact: true }).click();
  const chat = page.url();
  await page.goto(link);
  await page.getByText(/^Shared /).waitFor();
  await page.getByText('Dallas').first().waitFor();
  await browser.axe('a shared chat');
  await page.goto(chat);
  await badge(page).first().waitFor();
}

async function looks(page) {
  await button(page, 'Dark mode').click();
  await page.locator('html.dark').waitFor();
  await browser.axe('a dark answer');
  await browser.shot('dark');
  await page.setViewportSize({ width: 390, height: 844 });
  const close = button(page, 'Close insights');
  if (await close.isVisible()) await close.click();
  await button(page, 'Chats').waitFor();
  await browser.fits('a chat on a phone');
  await browser.axe('a chat on a phone');
  await browser.shot('phone');
  await page.setViewportSize({ width: 1360, height: 850 });
}

async function settings(page) {
  await page.goto(`${url}/settings`);
  await page.getByRole('heading', { name: 'Appearance' }).waitFor();
  await browser.axe('the settings');
  for (const [path, sign] of [['users', email], ['settings', 'Anthropic'], ['runs', 'No answer is being written now.']]) {
    await page.goto(`${url}/admin/${path}`);
    await page.getByText(sign, { exact: true }).first().waitFor();
    await browser.axe(`/admin/${path}`);
    await browser.shot(`admin-${path}`);
  }
}

async function data(page) {
  await page.goto(`${url}/settings/data`);
  await page.getByRole('link', { name: 'Open retail' }).click();
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('.react-flow__node', { hasText: 'order_items' }).waitFor();
  await browser.axe('the graph of an ontology');
  await browser.shot('ontology');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.getByRole('main').getByText('semantic_model').first().waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  const wrong = { name: 'wrong.yaml', mimeType: 'text/yaml', buffer: Buffer.from('version: 0.1.1\nsemantic_model:\n  - name: 7\n') };
  await page.locator('input[aria-label="OSI file"]:enabled').waitFor({ state: 'attached' }); // the connections are loaded
  await page.getByLabel('OSI file').setInputFiles(wrong);
  await page.getByText(/^Line \d+/).first().waitFor();
  await browser.axe('the data page');
  await browser.shot('data');
  await page.getByRole('link', { name: 'Connect a database' }).click();
  for (const [label, value] of [['Name', 'nowhere'], ['Host', '127.0.0.1'], ['Port', '9'], ['Database', 'x'], ['User', 'y']])
    await page.getByRole('main').getByLabel(label).fill(value);
  await browser.axe('the form of a connection');
  await browser.shot('connect');
  await button(page, 'Test', { exact: true }).click();
  await page.getByRole('main').getByRole('alert').waitFor();
}

async function leave(page) {
  await page.goto(`${url}/agent`);
  const chats = page.getByRole('navigation', { name: 'Chats' });
  await chats.getByRole('button', { name: /^Actions for / }).first().click({ force: true });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await chats.getByText('No chats yet').waitFor();
  await button(page, 'Undo').click();
  await badge(page).first().waitFor();
  await page.getByRole('heading', { level: 1 }).click(); // moves the focus out of the input
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
  await page.keyboard.press('Escape');
  await chats.getByRole('button', { name: email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await button(page, 'Sign in').waitFor();
}

browser.refusals = /^(401 .api.auth.login|400 .api.semantic-models)$/; // a wrong password, a broken file
await tell(signIn, ask, evidence, insights, again, next, preferences, share, looks, settings, data, leave);
