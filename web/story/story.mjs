/**
 * Shared by all stories: `node story/NAME.mjs URL EMAIL PASSWORD [FOLDER for screenshots]`.
 * A story can ask the process that runs it for things that a page cannot do (`outside`).
 */
import { createInterface } from 'node:readline';
import { Browser } from './browser.mjs';

const [url, email, password, shots] = process.argv.slice(2);
const began = Date.now();
const replies = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

export { url, email, password };
export const browser = new Browser(url, shots);
export const say = (what) => console.log(`${((Date.now() - began) / 1000).toFixed(1)} s ${what}`);

/** Asks the test to do something; returns its answer. */
export async function outside(act) {
  console.log(`@${act}`);
  const { value, done } = await replies.next();
  if (done) throw new Error(`nobody does ${act}`);
  return JSON.parse(value);
}

export const QUESTION = 'revenue by city in 2025';
export const button = (page, name, more = {}) => page.getByRole('button', { name, ...more });
export const badge = (page) => button(page, /^(Verified|Unverified)/);
/** The table of rows below an answer. */
export const cell = (page, name) => page.getByRole('group', { name: /^Rows: / }).getByRole('cell', { name }).first();
export const log = (page) => page.getByRole('log');

export async function signIn(page) {
  await page.goto(`${url}/agent`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'Data Agent' }).waitFor();
}

export async function ask(page, question = QUESTION) {
  const input = page.getByLabel('Your question');
  await input.fill(question);
  await page.locator('button[aria-label=Send]:enabled').waitFor(); // the ontologies are loaded
  await input.press('Enter');
  await log(page).getByText(question).first().waitFor();
}

/** Opens another tab of the same browser. */
export async function openTab(address) {
  const tab = await browser.context.newPage();
  browser.watch(tab);
  await tab.goto(address);
  return tab;
}

/** Asks, and returns when half a sentence of the answer is shown. The rest comes after `release`. */
export async function askHalf(page, question = QUESTION) {
  const before = await halves(page).count();
  await outside('hold');
  await ask(page, question);
  await halves(page).nth(before).waitFor();
}

/** The first sentences of the scripted model's answers. */
export const halves = (page) => log(page).getByText('stands first in');
export const wholes = (page) => log(page).getByText('naïve café');

export const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];
export const THEMES = ['light', 'dark'];

/** Pictures in both themes and three widths; nothing is too wide, and axe finds nothing. */
export async function look(page, name) {
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

/** Runs the parts one after the other on the same page, then exits. */
export async function tell(...parts) {
  try {
    const page = await browser.open();
    for (const part of parts) {
      await part(page);
      say(part.name);
    }
  } catch (error) {
    await browser.shot('failure').catch(() => undefined);
    browser.wrongs.push(String(error.stack));
  }
  await browser.close();
  browser.wrongs.forEach((wrong) => console.error(wrong));
  process.exit(browser.wrongs.length > 0 ? 1 : 0);
}
