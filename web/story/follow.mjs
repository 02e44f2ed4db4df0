/** Follows an answer through a reload, and in two tabs that show the same. */
import assert from 'node:assert/strict';
import {
  askHalf, badge, button, halves, log, openTab, outside, QUESTION, signIn, tell, wholes,
} from './story.mjs';

const said = async (page, n) => [await halves(page).nth(n).innerText(), await wholes(page).nth(n).innerText()];

let other;

async function reload(page) {
  await askHalf(page);
  await page.waitForURL(/\/agent\/[0-9a-f-]{36}/);
  other = await openTab(page.url());
  await halves(other).waitFor();
  await page.reload();
  await halves(page).waitFor();
  await button(page, 'Stop').waitFor();
  await outside('release');
  for (const tab of [page, other]) {
    await badge(tab).waitFor();
    await wholes(tab).waitFor();
    assert.equal(await halves(tab).count(), 1, 'nothing is said twice');
  }
  assert.deepEqual(await said(page, 0), await said(other, 0));
}

async function inStep(page) {
  await askHalf(other);
  await halves(page).nth(1).waitFor();
  await button(page, 'Stop').waitFor();
  await outside('release');
  for (const tab of [page, other]) {
    await badge(tab).nth(1).waitFor();
    await wholes(tab).nth(1).waitFor();
    assert.equal(await log(tab).getByText(QUESTION, { exact: true }).count(), 2);
  }
  assert.deepEqual(await said(page, 1), await said(other, 1));
}

async function signedOut(page) {
  await button(page, /@example\.org/).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [page, other]) await button(tab, 'Sign in').waitFor();
}

await tell(signIn, reload, inStep, signedOut);
