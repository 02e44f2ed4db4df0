/** The main story without a mouse. What opens returns the focus to the element that opened it. */
import { at, dialog, input, press, signsIn, thereAndBack, to } from './keys.mjs';
import { askHalf, badge, browser, button, email, halves, log, outside, QUESTION, tell, wholes } from './story.mjs';

const chats = (page) => page.getByRole('navigation', { name: 'Chats' });

async function newChat(page) {
  await page.keyboard.press('Control+Shift+O');
  await dialog(page).waitFor();
  await browser.settle();
  await page.keyboard.press('Escape');
  await at(page, input(page), 'the input');
  await press(page, button(page, 'Choose data and agent'), 'the choice', 'Shift+Tab');
  await thereAndBack(page, dialog(page).getByRole('combobox', { name: 'Language model' }), 'the language models', page.getByRole('listbox'));
  await to(page, dialog(page).getByLabel(/^Chat Name/), 'the name');
  await page.keyboard.type('by hand');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'by hand' }).waitFor();
  await at(page, input(page), 'the input');
}

async function asksAndStops(page) {
  const stopped = log(page).getByText('Stopped.');
  await outside('hold');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await halves(page).first().waitFor();
  await at(page, input(page), 'the input');
  await page.keyboard.press('Escape');
  await stopped.waitFor();
  await page.locator('[aria-live=polite]').getByText('Stopped', { exact: true }).waitFor({ state: 'attached' });
  await at(page, input(page), 'the input');
  await askHalf(page);
  await press(page, button(page, 'Stop'), 'Stop');
  await stopped.nth(1).waitFor();
  await at(page, input(page), 'the input');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await wholes(page).waitFor();
  await badge(page).last().waitFor();
  await at(page, input(page), 'the input');
}

async function insights(page) {
  const toggle = button(page, 'Insights');
  const panel = page.getByRole('complementary', { name: 'Insights' });
  await panel.waitFor();
  await press(page, button(page, 'Close insights'), 'Close insights');
  await panel.waitFor({ state: 'hidden' });
  await at(page, toggle, 'Insights');
  await page.keyboard.press('Enter');
  await panel.waitFor();
  await at(page, toggle, 'Insights');
  await thereAndBack(page, panel.getByRole('button', { name: /plan_generation/ }), 'a trace');
  await page.keyboard.press('Control+I');
  await panel.waitFor({ state: 'hidden' });
  await at(page, toggle, 'Insights');
}

async function evidence(page) {
  await thereAndBack(page, badge(page).last(), 'the badge');
  const tabs = page.getByRole('tablist').last();
  await to(page, tabs.getByRole('tab', { name: 'Rows' }), 'the rows', 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await tabs.getByRole('tab', { name: 'Chart', selected: true }).waitFor();
  await thereAndBack(page, button(page, 'Full screen'), 'Full screen');
  await press(page, button(page, 'Bad answer').last(), 'Bad answer');
  await at(page, page.getByLabel(/^What was wrong/), 'the reason');
  await page.keyboard.type('too short');
  await press(page, button(page, 'Send', { exact: true }).first(), 'Send');
  await at(page, button(page, 'Bad answer').last(), 'Bad answer');
  await thereAndBack(page, button(page, 'Answer again').last(), 'Answer again', page.getByRole('menu'));
}

async function dialogs(page) {
  for (const name of ['Share', 'Preferences']) {
    await to(page, button(page, name), name, 'Shift+Tab');
    await thereAndBack(page, button(page, name), name);
  }
  await page.keyboard.press('?');
  await dialog(page).getByText('Keyboard shortcuts').waitFor();
  await browser.settle();
  await page.keyboard.press('Escape');
  await at(page, button(page, 'Preferences'), 'Preferences');
}

async function preferences(page) {
  const value = button(page, 'EUR: edit currency');
  await press(page, button(page, 'Preferences'), 'Preferences');
  await to(page, dialog(page).getByLabel('Key'), 'the key');
  await page.keyboard.type('currency');
  await to(page, dialog(page).getByLabel('Value'), 'the value');
  await page.keyboard.type('EUR');
  await press(page, dialog(page).getByRole('button', { name: 'Save' }), 'Save');
  await value.waitFor();
  await at(page, dialog(page).getByLabel('Key'), 'the key');
  await press(page, value, 'the value', 'Shift+Tab');
  await at(page, dialog(page).getByLabel('currency', { exact: true }), 'its field');
  await page.keyboard.press('Escape');
  await at(page, value, 'the value');
  await press(page, button(page, 'Delete currency'), 'Delete');
  await at(page, dialog(page).getByLabel('Key'), 'the key');
  await page.keyboard.press('Escape');
  await at(page, button(page, 'Preferences'), 'Preferences');
}

async function renames(page) {
  const item = (name) => chats(page).getByRole('link', { name });
  await to(page, item('by hand'), 'the chat', 'Shift+Tab');
  await page.keyboard.press('F2');
  await at(page, page.getByLabel('Name of the chat'), 'the name');
  await page.keyboard.press('Escape');
  await at(page, item('by hand'), 'the chat');
  await page.keyboard.press('F2');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
  await at(page, item('by keys'), 'the chat');
  await page.getByRole('heading', { level: 1, name: 'by keys' }).waitFor();
}

async function deletes(page) {
  const undo = button(page, 'Undo');
  const item = chats(page).getByRole('link', { name: 'by keys' });
  await page.keyboard.press('Delete');
  await undo.waitFor();
  await item.waitFor({ state: 'hidden' });
  await at(page, input(page), 'the input');
  await page.keyboard.press('Control+Z');
  await item.waitFor();
  await page.getByRole('heading', { level: 1, name: 'by keys' }).waitFor();
  await undo.waitFor({ state: 'hidden' });
  await to(page, item, 'the chat', 'Shift+Tab');
  await page.keyboard.press('ArrowRight'); // its menu
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await press(page, undo, 'Undo');
  await item.waitFor();
  await at(page, input(page), 'the input');
}

async function menu(page) {
  const mine = chats(page).getByRole('button', { name: email });
  await to(page, mine, 'the menu', 'Shift+Tab');
  await thereAndBack(page, mine, 'the menu', page.getByRole('menu'));
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('menuitem', { name: 'Keyboard shortcuts' }), 'Keyboard shortcuts', 'ArrowDown');
  await dialog(page).getByText('Keyboard shortcuts').waitFor();
  await browser.settle();
  await page.keyboard.press('Escape');
  await at(page, mine, 'the menu');
  await page.keyboard.press('Control+K');
  await at(page, page.getByLabel('Search chats'), 'the search');
  await to(page, mine, 'the menu');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('menuitem', { name: 'Sign out' }), 'Sign out', 'ArrowUp');
  await button(page, 'Sign in').waitFor();
}

browser.refusals = /^401 .api.auth.login$/; // a wrong password
await tell(signsIn, newChat, asksAndStops, insights, evidence, dialogs, preferences, renames, deletes, menu);
