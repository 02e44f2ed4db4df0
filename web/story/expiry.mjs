/** The access token expires during an answer: two tabs renew it, one at a time, and continue. */
import assert from 'node:assert/strict';
import {
  askHalf, badge, browser, button, halves, openTab, outside, signIn, tell, wholes,
} from './story.mjs';

const underWay = new Set();
let atOnce = 0;
let refreshes = 0;

function watchRefreshes() {
  browser.context.on('request', (request) => {
    if (!request.url().endsWith('/api/auth/session')) return;
    refreshes++;
    atOnce = Math.max(atOnce, underWay.add(request).size);
  });
  for (const end of ['requestfinished', 'requestfailed'])
    browser.context.on(end, (request) => underWay.delete(request));
}

/** The stream closes twice when the token expires, and the page reconnects twice with a new token. */
async function joinedTwice(tab) {
  for (let i = 0; i < 2; i++)
    await tab.waitForResponse((r) => r.url().endsWith('/events') && r.ok() && r.request().headers()['last-event-id']);
}

async function expires(page) {
  watchRefreshes();
  await askHalf(page);
  const other = await openTab(page.url());
  await halves(other).waitFor();
  await Promise.all([joinedTwice(page), joinedTwice(other)]);
  await outside('release');
  for (const tab of [page, other]) {
    await badge(tab).waitFor();
    await wholes(tab).waitFor();
    assert.equal(await halves(tab).count(), 1);
    assert.equal(await button(tab, 'Sign in').count(), 0);
  }
  assert.ok(refreshes >= 2);
  assert.equal(atOnce, 1, 'one tab refreshes at a time');
}

await tell(signIn, expires);
