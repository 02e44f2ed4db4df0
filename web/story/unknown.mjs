/** Addresses without a page, and of things that do not exist: each says so, and leads back. */
import { browser, signIn, tell, url } from './story.mjs';

const NOBODY = '10000000-0000-4000-8000-00000000dead';
const PLACES = [
  ['/nothing', 'There is no page at', 'To the chats', /\/agent$/],
  ['/chats/unknown-id', 'There is no page at', 'To the chats', /\/agent$/],
  ['/settings/nothing', 'There is no page at', 'To the chats', /\/agent$/],
  ['/admin/nothing', 'There is no page at', 'To the chats', /\/agent$/],
  ['/agent/unknown-id', 'There is no such chat', 'To the chats', /\/agent$/],
  [`/agent/${NOBODY}`, 'There is no such chat', 'To the chats', /\/agent$/],
  ['/boards/unknown', 'There is no such board', 'To the boards', /\/boards$/],
  [`/boards/${NOBODY}`, 'There is no such board', 'To the boards', /\/boards$/],
  [`/settings/data/ontologies/${NOBODY}`, 'There is no such ontology', 'To the data', /\/settings\/data$/],
];

async function leadsBack(page) {
  for (const [path, sign, way, target] of PLACES) {
    await page.goto(url + path);
    await page.getByText(sign).waitFor();
    if (path.startsWith('/boards') || path.startsWith('/agent')) {
      await page.setViewportSize({ width: 390, height: 844 });
      await browser.fits(path);
      await browser.shot(`unknown${path.replaceAll('/', '-')}-phone`);
      await page.setViewportSize({ width: 1360, height: 850 });
    }
    await browser.axe(path);
    await page.getByRole('main').getByRole('link', { name: way }).click();
    await page.waitForURL(target);
  }
}

async function theShareOfNothing(page) {
  await page.goto(`${url}/share/nothing`);
  await page.getByText('The shared chat cannot be shown').waitFor();
  await page.getByRole('link', { name: 'To the start' }).waitFor();
}

// What is no id, and what does not exist.
browser.refusals = new RegExp('^(400 /api/data-agent/(boards/unknown|chats/unknown-id)'
  + `|404 /api/(data-agent/share/nothing|(data-agent/(boards|chats)|ontologies)/${NOBODY}))$`);
await tell(signIn, leadsBack, theShareOfNothing);
