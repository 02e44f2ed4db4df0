/** An answer is marked as trusted, answers the same question again, and is taken back. */
import { ask, badge, browser, button, log, look, signIn, tell, url } from './story.mjs';

const ASKED = 'orders by segment in 2024';
const trusted = (page) => log(page).getByRole('img', { name: /^Trusted: / });

async function isMarked(page) {
  await ask(page, ASKED);
  await badge(page).waitFor();
  await button(page, 'Mark as trusted').click();
  const dialog = page.getByRole('dialog', { name: 'Mark as trusted?' });
  await dialog.getByLabel('Question that makes sense on its own').waitFor();
  await browser.axe('the dialog of a trusted answer');
  await dialog.getByRole('button', { name: 'Mark as trusted' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function answersAgain(page) {
  await page.goto(`${url}/agent`);
  await ask(page, ASKED);
  await trusted(page).waitFor();
  await look(page, 'trusted');
}

async function isTakenBack(page) {
  await page.goto(`${url}/settings/data`);
  await button(page, `SQL of ${ASKED}`).click();
  await page.getByRole('list', { name: 'Trusted answers' }).getByRole('group', { name: 'SQL' }).waitFor();
  await browser.axe('the list of trusted answers');
  await button(page, `Remove ${ASKED}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await button(page, `Remove ${ASKED}`).waitFor({ state: 'detached' });
}

await tell(signIn, isMarked, answersAgain, isTakenBack);
