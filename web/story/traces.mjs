/** The calls of a language model: where they were in time, search, one of them in full, as cURL, one that was refused; in both themes and three widths. */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, log, look, outside, signIn, tell } from './story.mjs';

const panel = (page) => page.getByRole('complementary', { name: 'Insights' });
const call = (page, name) => panel(page).getByRole('button', { name });

async function areListed(page) {
  await ask(page);
  await badge(page).waitFor();
  await panel(page).getByText('LLM Traces').waitFor();
  await call(page, /plan_generation/).waitFor();
  // When the call was made, which is known once its trace is stored.
  await call(page, /plan_generation/).locator('[aria-hidden] > *').waitFor({ state: 'attached' });
}

async function areSearched(page) {
  const search = panel(page).getByRole('searchbox', { name: 'Search the model calls' });
  await search.fill('plan_generation');
  await panel(page).getByRole('status').getByText(/^1 of \d+ calls$/).waitFor();
  assert.equal(await call(page, /^Explainer: /).count(), 0);
  await search.fill('');
  await call(page, /^Explainer: /).last().waitFor();
}

async function oneIsRead(page) {
  await call(page, /plan_generation/).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Prompt messages').waitFor();
  assert.match(page.url(), /trace=/);
  await dialog.getByRole('button', { name: 'Request as cURL' }).click();
  const command = dialog.locator('pre').first();
  await command.getByText('curl').first().waitFor();
  assert.match(await command.innerText(), /Bearer \$OPENAI_API_KEY/);
  await look(page, 'trace');
  await page.reload();
  await dialog.getByText('Prompt messages').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Close insights').waitFor();
}

/** The answer says in which phase, with the vendor's words, and leads to the call. */
async function oneIsRefused(page) {
  await outside('refuse');
  await ask(page);
  const error = log(page).getByRole('alert').filter({ hasText: 'This answer failed in the phase SQL Builder' });
  await error.getByText(/as the story wants it/).first().waitFor();
  await error.getByText(/run [0-9a-f-]{36}/).waitFor();
  await browser.axe('an answer that failed');
  await browser.shot('failed');
  await error.getByRole('button', { name: 'Open the trace' }).click();
  await page.getByRole('dialog').getByRole('alert').getByText(/as the story wants it/).waitFor();
  await page.keyboard.press('Escape');
  await error.getByRole('button', { name: 'Retry' }).click();
  await error.waitFor({ state: 'detached' });
  await button(page, 'Send').waitFor();
}

await tell(signIn, areListed, areSearched, oneIsRead, oneIsRefused);
