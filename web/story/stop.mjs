/** Stops an answer in progress: by its button, by Esc while typing, before the server has the question, and as an admin. */
import assert from 'node:assert/strict';
import { ask, askHalf, browser, button, email, halves, log, openTab, outside, QUESTION, signIn, tell, url, wholes } from './story.mjs';

const stopped = (page) => log(page).getByText('Stopped.');

async function stopButton(page) {
  await askHalf(page);
  const input = page.getByLabel('Your question');
  await input.fill('what comes to mind meanwhile');
  await browser.shot('answering');
  await button(page, 'Stop').click();
  await stopped(page).waitFor();
  assert.equal(await halves(page).count(), 1, 'the text so far is kept');
  assert.equal(await input.inputValue(), 'what comes to mind meanwhile');
  await browser.axe('a stopped answer');
}

async function escape(page) {
  await askHalf(page);
  await page.getByLabel('Your question').press('Escape');
  await stopped(page).nth(1).waitFor();
  await page.reload();
  await stopped(page).nth(1).waitFor();
  assert.equal(await halves(page).count(), 2);
}

/** The stop also works if the server answers late. */
async function early(page) {
  await outside('hold'); // so that the answer cannot end before
  let arrives;
  const pressed = new Promise((resolve) => { arrives = resolve; });
  const sending = '**/api/data-agent/chats/*/messages';
  await page.route(sending, async (route) => {
    await pressed;
    await route.continue();
  });
  await ask(page, 'too early');
  await page.getByLabel('Sending the question').waitFor();
  await page.getByLabel('Your question').press('Escape');
  arrives();
  await stopped(page).nth(2).waitFor();
  await page.unroute(sending);
}

/** Another user's answer, from the live runs. */
async function byAdmin(page) {
  await askHalf(page);
  const admin = await openTab(`${url}/admin/runs`);
  const runs = admin.getByRole('region', { name: 'Live runs' });
  await button(admin, `Stop the answer of ${email}`).click();
  await stopped(page).nth(3).waitFor();
  assert.equal(await halves(page).count(), 3, 'the text so far is kept');
  await runs.getByText(email).waitFor({ state: 'hidden' });
  await admin.close();
}

/** A question that was typed meanwhile waits, also after the answer was stopped. */
async function queued(page) {
  await askHalf(page);
  const input = page.getByLabel('Your question');
  const waiting = page.getByRole('group', { name: 'Asked next' });
  for (const question of ['orders by city in 2024', 'revenue by month in 2024']) {
    await input.fill(question);
    await input.press('Enter');
    await waiting.getByText(question).first().waitFor();
  }
  await browser.axe('two questions that wait');
  await button(page, 'Stop').click();
  await stopped(page).nth(4).waitFor();
  await waiting.getByText('Still waiting:').waitFor();
  for (const question of ['orders by city in 2024', 'revenue by month in 2024']) {
    await waiting.locator('.MuiChip-root', { hasText: question }).locator('.MuiChip-deleteIcon').click();
    await waiting.locator('.MuiChip-root', { hasText: question }).waitFor({ state: 'detached' });
  }
}

async function goesOn(page) {
  await ask(page, QUESTION);
  await wholes(page).waitFor();
}

await tell(signIn, stopButton, escape, early, byAdmin, queued, goesOn);
