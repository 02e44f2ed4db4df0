/** An answer is stopped in the middle: by its button, and by Esc while one types. */
import assert from 'node:assert/strict';
import { ask, askHalf, browser, button, halves, log, QUESTION, signIn, tell, wholes } from './story.mjs';

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

async function goesOn(page) {
  await ask(page, QUESTION);
  await wholes(page).waitFor();
}

await tell(signIn, stopButton, escape, goesOn);
