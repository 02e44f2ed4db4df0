/** Takes screenshots of every page in both themes and three widths; nothing is too wide, and axe finds nothing. */
import { ask, badge, browser, button, cell, signIn, tell, url } from './story.mjs';

const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];
const THEMES = ['light', 'dark'];

let chat;
let link;

async function look(page, name) {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await browser.shot(`${name}-${wide}-${theme}`); // a screenshot also forces rendering
      await browser.fits(`${name} (${wide})`);
      await browser.axe(`${name} (${theme}, ${wide})`);
    }
  }
  await page.setViewportSize({ width: WIDTHS[0][1], height: WIDTHS[0][2] });
}

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
  await button(page, 'Insights').click();
  await button(page, /plan_generation/).click();
  await page.getByRole('dialog').getByText('Prompt messages').waitFor();
  await look(page, 'trace');
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
    ['/admin/runs', 'admin-runs', 'No runs in progress.'],
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
  await button(page, 'Open retail').click();
  await page.getByRole('dialog').getByText('order_items').first().waitFor();
  await look(page, 'ontology');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.getByRole('dialog').getByText('semantic_model').first().waitFor();
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

await tell(outsiders, signIn, answers, dialogs, others, models, drawer);
