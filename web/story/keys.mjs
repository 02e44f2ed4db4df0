/** A user without a mouse. */
import { browser, email, password, url } from './story.mjs';

const FARTHEST = 150;
export const input = (page) => page.getByLabel('Your question');
export const dialog = (page) => page.getByRole('dialog');

/** Waits until the element has the focus. */
export async function at(page, place, what) {
  await place.and(page.locator(':focus')).waitFor().catch(async () => {
    const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    throw new Error(`the keyboard is not at ${what}, but at ${where}`);
  });
}

/** Moves the focus there with Tab (or Shift+Tab), as a user does. */
export async function to(page, place, what, key = 'Tab') {
  await place.first().waitFor();
  for (let i = 0; i < FARTHEST; i++) {
    if (await place.and(page.locator(':focus')).count()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${what} is not reached with ${key}`);
}

export async function press(page, place, what, key = 'Tab') {
  await to(page, place, what, key);
  await page.keyboard.press('Enter');
}

/** Opens it; Esc closes it and returns the focus. */
export async function thereAndBack(page, place, what, inside = dialog(page)) {
  await press(page, place, what);
  await inside.waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog], [role=menu], [role=listbox], [role=presentation]'));
  await browser.settle();
  await page.keyboard.press('Escape');
  await inside.waitFor({ state: 'hidden' });
  await at(page, place, what);
}

export async function signsIn(page) {
  await page.goto(`${url}/agent`);
  await to(page, page.getByLabel('Email'), 'the address');
  await page.keyboard.type(email);
  await to(page, page.getByLabel('Password'), 'the password');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await at(page, page.getByLabel('Password'), 'the password');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Data Agent' }).waitFor();
  await at(page, input(page), 'the input');
}
