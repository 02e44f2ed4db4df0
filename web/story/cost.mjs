/** What an answer, a chat, a user and a day have cost: tokens and money, where prices are known. */
import assert from 'node:assert/strict';
import { ask, badge, email, look, outside, signIn, tell, url } from './story.mjs';

const panel = (page) => page.getByRole('complementary', { name: 'Insights' });

/** The figure below a name in the Insights panel. */
async function figure(page, name) {
  const stat = panel(page).locator('.MuiPaper-root').filter({ has: page.getByText(name, { exact: true }) }).first();
  return Number((await stat.locator('p').innerText()).replaceAll(',', ''));
}

let answer;

async function anAnswerSaysWhatItCost(page) {
  await ask(page);
  await badge(page).waitFor();
  await panel(page).getByText('Cost', { exact: true }).waitFor();
  answer = {
    input: await figure(page, 'Input tokens'), output: await figure(page, 'Output tokens'),
    total: await figure(page, 'Total tokens'), cost: await figure(page, 'Cost'),
  };
  const { input, output } = await outside('prices');
  const cost = (answer.input * input + answer.output * output) / 1e6;
  // The page shows a few digits.
  assert.ok(Math.abs(answer.cost - cost) <= cost * 0.05, `${answer.cost} for ${cost}`);
}

async function aChatSaysWhatItCost(page) {
  await panel(page).getByText(/^This chat: 1 answer, .* tokens, cost /).waitFor();
  await ask(page);
  await badge(page).nth(1).waitFor();
  await panel(page).getByText(/^This chat: 2 answers, .* tokens, cost /).waitFor();
}

async function anAdminSeesUsersAndDays(page) {
  await page.goto(`${url}/admin/usage`);
  const users = page.getByRole('region', { name: 'Usage by user' });
  const own = users.getByRole('row').filter({ hasText: email });
  await own.waitFor();
  const [, answers, tokens, cost] = await own.getByRole('cell').allInnerTexts();
  assert.equal(answers, '2');
  assert.ok(Number(tokens.replaceAll(',', '')) > answer.total, tokens);
  assert.ok(Number(cost.replaceAll(',', '')) > answer.cost, cost);
  await page.getByRole('region', { name: 'Usage by day' }).getByRole('row').nth(1).waitFor();
  await look(page, 'usage');
}

await tell(signIn, anAnswerSaysWhatItCost, aChatSaysWhatItCost, anAdminSeesUsersAndDays);
