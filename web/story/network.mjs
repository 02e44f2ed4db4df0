/** The network fails during an answer and comes back: no event is lost. */
import assert from 'node:assert/strict';
import {
  askHalf, badge, browser, button, halves, outside, signIn, tell, wholes,
} from './story.mjs';

const banner = (page) => page.getByText('You are offline');

function joins(page) {
  return page.waitForRequest((r) => r.url().endsWith('/events') && Number(r.headers()['last-event-id']) > 0);
}

async function offline(page) {
  browser.expected = /net::ERR_/;
  await askHalf(page);
  await browser.context.setOffline(true);
  await outside('cut');
  await banner(page).waitFor();
  await browser.axe('a page without network');
  await browser.shot('offline');
  await outside('release');
  await outside('over');
  assert.equal(await wholes(page).count(), 0);
  const [joined] = await Promise.all([joins(page), browser.context.setOffline(false)]);
  await joined.response();
  await badge(page).waitFor();
  await wholes(page).waitFor();
  assert.equal(await halves(page).count(), 1, 'nothing is said twice');
  await banner(page).waitFor({ state: 'hidden' });
}

/** The connection is cut, but the browser is online. */
async function cut(page) {
  await askHalf(page);
  await Promise.all([joins(page), outside('cut')]);
  await button(page, 'Stop').waitFor();
  await outside('release');
  await badge(page).nth(1).waitFor();
  await wholes(page).nth(1).waitFor();
  assert.equal(await halves(page).count(), 2);
}

await tell(signIn, offline, cut);
