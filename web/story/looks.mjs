/** Takes screenshots of every page in both themes and three widths; nothing is too wide, and axe finds nothing. */
import { ask, badge, browser, button, cell, look, signIn, tell, url } from './story.mjs';

let chat;
let link;

async function outsiders(page) {
  await page.goto(`${url}/agent`);
  await button(page, 'Sign in').waitFor();
  await look(page, 'sign-in');
}

async function answers(page) {
  await look(page, 'welcome');
  await ask(page);
  await badge(page).waitFor();
  await cell(page, 'Dallas').waitFor();
  await page.waitForURL(/panel=/);
  await look(page, 'answer-insights');
  await button(page, 'Close insights').click();
  chat = page.url();
  await look(page, 'answer');
  await page.getByRole('tab', { name: 'Chart' }).first().click();
  await page.getByRole('img', { name: /bar chart/ }).locator('svg').waitFor();
  await look(page, 'chart');
  await page.getByRole('tab', { name: 'SQL' }).first().click();
  await page.getByRole('group', { name: 'SQL' }).getByText('GROUP BY').waitFor();
  await look(page, 'sql');
}

/** What is folded, and opens on request. */
async function expanded(page) {
  await badge(page).click();
  await page.getByRole('dialog').getByText('Query ran').waitFor();
  await look(page, 'checks');
  await page.keyboard.press('Escape');
  await button(page, /^How it was found/).click();
  await page.getByText('Looked up relationships').first().waitFor();
  await look(page, 'how-it-was-found');
  await button(page, /^How it was found/).click();
  await button(page, 'Lineage', { exact: true }).click();
  await look(page, 'lineage');
  await button(page, 'Lineage', { exact: true }).click();
  await opened(page, button(page, 'What is revenue?'), 'dialog', 'term');
  await opened(page, button(page, 'Answer again'), 'menu', 'answer-again');
  await opened(page, button(page, 'Pin to board'), 'dialog', 'pin');
  await opened(page, button(page, 'Ask on a schedule'), 'dialog', 'schedule');
  await opened(page, button(page, /trusted/i).first(), 'dialog', 'trust');
  await opened(page, button(page, 'Choose data and agent'), 'dialog', 'new-chat');
  await opened(page, page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: /@example.org/ }), 'menu', 'account');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await look(page, 'shortcuts');
  await page.keyboard.press('Escape');
}

async function opened(page, what, role, name) {
  await what.click();
  await page.getByRole(role).first().waitFor();
  await look(page, name);
  await page.keyboard.press('Escape');
  await page.getByRole(role).first().waitFor({ state: 'detached' });
}

async function dialogs(page) {
  await button(page, 'Preferences').click();
  await page.getByRole('dialog').getByText('No preferences yet.').waitFor();
  await look(page, 'preferences');
  await page.keyboard.press('Escape');
  await button(page, 'Share').click();
  await button(page, 'Create link').click();
  link = await page.getByLabel('Link', { exact: true }).inputValue();
  await look(page, 'share');
  await button(page, 'Close', { exact: true }).click();
}

async function others(page) {
  await page.goto(link);
  await page.getByText('Dallas').first().waitFor();
  await look(page, 'shared');
  const pages = [
    ['/settings', 'settings', 'Appearance'],
    ['/settings/data', 'data', 'Connect a database'],
    ['/settings/data/connect', 'connect', 'Connected already'],
    ['/admin/users', 'admin-users', 'New user'],
    ['/admin/settings', 'admin-settings', 'Anthropic'],
    ['/boards', 'boards', 'No boards yet'],
    ['/schedules', 'schedules', 'No schedules yet'],
    ['/sql', 'console', 'No saved queries'],
    ['/explore', 'explore', 'Drop a file to explore it'],
    ['/nowhere', 'nowhere', 'There is no page at'],
    ['/admin/usage', 'admin-usage', 'thirty days'],
    ['/admin/runs', 'admin-runs', 'No answer is being written now.'],
  ];
  for (const [path, name, sign] of pages) {
    await page.goto(url + path);
    await page.getByText(sign).first().waitFor();
    await look(page, name);
  }
}

async function models(page) {
  await page.goto(`${url}/settings/data/connect`);
  await button(page, 'demo', { exact: true }).click();
  await page.getByText(/tables are chosen/).waitFor();
  await page.getByRole('list', { name: 'Tables of public' }).getByText('orders', { exact: true }).waitFor();
  await look(page, 'tables');
  await page.goto(`${url}/settings/data`);
  await page.getByRole('link', { name: 'Open retail' }).click();
  await page.getByRole('main').getByText('order_items').first().waitFor();
  await look(page, 'ontology');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.getByRole('main').getByText('semantic_model').first().waitFor();
  await look(page, 'yaml');
}

async function drawer(page) {
  await page.goto(chat);
  await badge(page).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, 'Chats').click();
  await page.getByRole('navigation', { name: 'Chats' }).waitFor();
  await browser.axe('the drawer on a phone');
  await browser.shot('drawer-phone');
}

await tell(outsiders, signIn, answers, expanded, dialogs, others, models, drawer);
