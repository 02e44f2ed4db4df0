/** The access token expires during an answer: two tabs renew it, one at a time, and continue. */
import assert from 'node:assert/strict';
import {
  askHalf, badge, browser, button, halves, openTab, outside, signIn, tell, wholes,
} from './story.mjs';

const refreshes = [];

/** By the browser's clock: what it tells about two tabs arrives here in any order. */
function watchRefreshes() {
  browser.context.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing();
    if (request.url().endsWith('/api/auth/session')) refreshes.push({ from: startTime, to: startTime + responseEnd });
  });
}

function overlap(a, b) {
  return a !== b && a.from < b.to && b.from < a.to;
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
  assert.ok(refreshes.length >= 2);
  assert.ok(!refreshes.some((a) => refreshes.some((b) => overlap(a, b))), 'one tab refreshes at a time');
}

await tell(signIn, expires);
