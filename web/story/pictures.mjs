/**
 * The pictures of README.md: `node story/pictures.mjs URL EMAIL PASSWORD ../docs/images`, with an admin of a server
 * that has the demo data and no chats (make demo; `sextant user`).
 */
import { ask, badge, browser, button, cell, signIn, tell, url } from './story.mjs';

async function answer(page) {
  await ask(page);
  await badge(page).waitFor();
  await cell(page, 'Dallas').waitFor();
  await page.waitForURL(/panel=insights/);
  await page.locator('.react-flow__node').first().waitFor();
  await page.mouse.move(700, 400);
  await page.evaluate(() => document.activeElement.blur());
  await browser.shot('answer');
}

async function phone(page) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, 'Close insights').click();
  await page.getByRole('tab', { name: 'Chart' }).first().click();
  await page.getByRole('img', { name: /bar chart/ }).locator('svg').waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(1, 400);
  await page.waitForTimeout(1000); // the tooltip of the tab
  await browser.shot('phone');
  await page.setViewportSize({ width: 1360, height: 850 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function wizard(page) {
  await page.goto(`${url}/settings/data/connect`);
  await button(page, 'demo', { exact: true }).click();
  await page.getByText(/tables are chosen/).waitFor();
  await page.getByRole('list', { name: 'Tables of public' }).getByText('orders', { exact: true }).waitFor();
  await browser.shot('wizard');
}

await tell(signIn, answer, phone, wizard);
