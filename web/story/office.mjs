/** The admin's pages without a mouse: users, settings, live runs, data, a model from a database. */
import assert from 'node:assert/strict';
import { at, dialog, input, press, signsIn, thereAndBack, to } from './keys.mjs';
import { badge, browser, button, email, halves, log, outside, QUESTION, tell, url, wholes } from './story.mjs';

const NEW = `new-${email}`;
const main = (page, name) => page.getByRole('main', { name });
const link = (page, name) => page.getByRole('link', { name, exact: true });
const alert = (page, text) => page.getByRole('alert').filter({ hasText: text });

/** Selects an option in a list, by keyboard. */
async function choose(page, place, what, name) {
  await press(page, place, what);
  const option = page.getByRole('option', { name, exact: true });
  await option.waitFor();
  await page.keyboard.press('Home');
  for (let i = 0; !(await option.and(page.locator(':focus')).count()); i++) {
    assert.ok(i < 20, `${name} is not reached`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await option.waitFor({ state: 'hidden' });
  await at(page, place, what);
}

async function fill(page, label, text) {
  await to(page, page.getByLabel(new RegExp(`^${label}\\W*$`)), label); // an asterisk marks a required field
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

async function opens(page, name, title) {
  const mine = page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: email });
  await press(page, mine, 'the menu', 'Shift+Tab');
  await press(page, page.getByRole('menuitem', { name, exact: true }), name, 'ArrowDown');
  await at(page, main(page, title), title);
}

async function users(page) {
  await opens(page, 'Users', 'Administration');
  await thereAndBack(page, button(page, 'New user'), 'New user');
  await page.keyboard.press('Enter');
  await at(page, page.getByLabel('Email'), 'the address');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await alert(dialog(page), 'The user was not created').waitFor();
  await at(page, page.getByLabel('Email'), 'the address');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(NEW);
  await fill(page, 'Name', 'By keys');
  await choose(page, dialog(page).getByRole('combobox'), 'the role', 'viewer');
  await press(page, button(page, 'Create'), 'Create');
  await dialog(page).waitFor({ state: 'hidden' });
  await at(page, button(page, 'New user'), 'New user');
  await to(page, page.getByLabel('Search users'), 'the search', 'Shift+Tab');
  await page.keyboard.type(NEW);
  await page.getByRole('row').nth(2).waitFor({ state: 'hidden' });
  await choose(page, page.getByRole('combobox', { name: `Role of ${NEW}` }), 'the role', 'contributor');
  await page.getByRole('combobox', { name: `Role of ${NEW}` }).getByText('contributor').waitFor();
  const active = page.getByLabel(`${NEW} may sign in`);
  await to(page, active, 'the switch');
  await page.keyboard.press('Space');
  await page.locator(':focus:not(:checked)').and(active).waitFor();
}

async function settings(page) {
  await press(page, link(page, 'System settings'), 'System settings', 'Shift+Tab');
  await fill(page, 'OpenAI: Temperature', '9');
  await page.keyboard.press('Enter');
  await alert(page, 'The settings were not saved').waitFor();
  await at(page, page.getByLabel('OpenAI: Temperature'), 'the temperature');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('0.5');
  await press(page, button(page, 'Save'), 'Save');
  await page.getByText('Settings saved').waitFor();
  await at(page, button(page, 'Save'), 'Save');
  await to(page, page.getByLabel('OpenAI: Temperature'), 'the temperature', 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await page.getByText('Settings saved').nth(1).waitFor();
  await at(page, page.getByLabel('OpenAI: Temperature'), 'the temperature');
}

/** Leaves a chat with an answer in progress, and stops the answer from the live runs. */
async function runs(page) {
  await press(page, link(page, 'Back to the chats'), 'the way back', 'Shift+Tab');
  await at(page, input(page), 'the input');
  await outside('hold');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await halves(page).waitFor();
  const chat = page.url();
  await opens(page, 'Live runs', 'Administration');
  const table = page.getByRole('region', { name: 'Live runs' });
  await press(page, button(page, `Stop the answer of ${email}`), 'Stop');
  await table.getByText(email).waitFor({ state: 'hidden' });
  await at(page, table, 'the runs');
  await page.goto(chat);
  await log(page).getByText('Stopped.').waitFor();
  assert.equal(await halves(page).count(), 1, 'the text so far is kept');
}

async function data(page) {
  await opens(page, 'Data', 'Data');
  await press(page, link(page, 'Open retail'), 'Open');
  await at(page, main(page, 'retail'), 'the ontology');
  await to(page, page.getByRole('tab', { name: 'Datasets' }), 'Datasets');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await press(page, page.locator('.react-flow__node', { hasText: 'order_items' }), 'a dataset');
  await page.getByRole('region', { name: 'Fields of order_items' }).waitFor();
  await press(page, link(page, 'Back'), 'Back', 'Shift+Tab');
  await at(page, main(page, 'Data'), 'the data');
  const upload = button(page, 'Upload an OSI file');
  const chooser = page.waitForEvent('filechooser');
  await press(page, upload, 'the upload');
  await (await chooser).setFiles({ name: 'wrong.yaml', mimeType: 'text/yaml', buffer: Buffer.from('version: 0.1.1\nsemantic_model:\n  - name: 7\n') });
  await page.getByText(/^Line \d+/).first().waitFor();
  await at(page, upload, 'the upload');
}

async function connects(page) {
  await press(page, link(page, 'Connect a database'), 'Connect a database');
  await at(page, page.getByLabel('Name'), 'the name');
  const database = await outside('database');
  for (const [label, value] of Object.entries({ ...database, Password: 'not the password' })) await fill(page, label, String(value));
  await to(page, page.getByLabel('Encrypted (TLS)'), 'TLS');
  await page.keyboard.press('Space');
  await press(page, button(page, 'Connect', { exact: true }), 'Connect');
  await page.getByRole('main').getByRole('alert').waitFor();
  await at(page, button(page, 'Connect', { exact: true }), 'Connect');
  await to(page, page.getByLabel('Password'), 'the password', 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(database.Password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/connection=/);
}

async function chooses(page) {
  const columns = button(page, 'Columns of public.orders');
  await to(page, page.getByLabel('public.customers', { exact: true }), 'a table');
  await page.keyboard.press('Space');
  await page.locator(':focus:not(:checked)').waitFor();
  await press(page, columns, 'the columns');
  await page.getByRole('list', { name: 'Columns of orders' }).getByText('order_id').waitFor();
  await at(page, columns, 'the columns');
}

async function builds(page) {
  await outside('shut');
  await press(page, button(page, 'Build the model'), 'Build the model');
  await page.getByRole('list', { name: 'Stages' }).waitFor();
  await press(page, button(page, 'Stop'), 'Stop');
  await page.getByText('Stopped. Nothing has changed').waitFor();
  await outside('reopen');
  await press(page, button(page, 'Again'), 'Again');
  await fill(page, 'Name of the model', `keys ${email}`);
  await page.keyboard.press('Enter');
  await page.getByText(/ has \d+ datasets/).waitFor();
  await press(page, link(page, 'View the model'), 'the model');
  await at(page, main(page, `keys ${email}`), 'the model');
  await page.goBack();
  await press(page, link(page, 'Ask a question'), 'Ask a question');
  await at(page, input(page), 'the input');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await wholes(page).waitFor();
  await badge(page).waitFor();
  await at(page, input(page), 'the input');
}

async function mine(page) {
  await opens(page, 'Settings', 'Settings');
  const dark = button(page, 'Dark', { exact: true });
  await to(page, page.getByRole('group', { name: 'Theme' }).getByRole('button'), 'the themes');
  await to(page, dark, 'Dark', 'ArrowRight');
  await page.keyboard.press('Space');
  await page.locator('html.dark').waitFor();
  await at(page, dark, 'Dark');
  await choose(page, page.getByRole('combobox', { name: /Default language model/ }), 'the language model', "The server's default");
  await press(page, link(page, 'Back to the chats'), 'the way back', 'Shift+Tab');
  await at(page, input(page), 'the input');
}

browser.refusals = /^(401 .api.auth.login|400 .api.(semantic-models|system-settings)|409 .api.users)$/;
await tell(signsIn, users, settings, runs, data, connects, chooses, builds, mine);
