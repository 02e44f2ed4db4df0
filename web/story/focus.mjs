/** Whatever Tab reaches shows a frame, or the border of its field, in both themes. */
import { ask, badge, browser, signIn, tell, url } from './story.mjs';

const STOPS_MOST = 60;

/** The element with the focus, and whether one sees that it has it; null: the page itself. */
const focused = () => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const drawn = (one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  };
  const field = element.closest('.MuiInputBase-root');
  const border = field?.querySelector('fieldset');
  const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''}`;
  const seen =
    drawn(element) || Boolean(element.closest('.Mui-focusVisible') && drawn(element.closest('.Mui-focusVisible'))) ||
    Boolean(border && parseFloat(getComputedStyle(border).borderTopWidth) >= 2) ||
    Boolean(field && getComputedStyle(field, '::after').borderBottomStyle !== 'none' && field.classList.contains('Mui-focused')) ||
    Boolean(element.closest('.MuiPaper-root:has(#question:focus-visible)')) || Boolean(element.closest('.cm-editor.cm-focused'));
  return { name, seen };
};

/** The components draw their frames a moment after the browser has moved the focus. */
async function settled(page) {
  let at = await page.evaluate(focused);
  for (let n = 0; n < 20 && at && !at.seen; n++) {
    await page.waitForTimeout(25);
    at = await page.evaluate(focused);
  }
  return at;
}

async function walk(page, where) {
  const met = new Set();
  // From the top of the page: after a blur alone, Tab goes on from where the focus was.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  for (let n = 0; n < STOPS_MOST; n++) {
    await page.keyboard.press('Tab');
    const at = await settled(page);
    if (at === null) break;
    if (!at.seen) browser.wrongs.push(`${where}: one does not see that ${at.name} has the focus`);
    met.add(at.name);
  }
  if (met.size < 3) browser.wrongs.push(`${where}: Tab reached only ${[...met].join(', ')}`);
}

async function walks(page) {
  await page.getByText('You are asking about').waitFor();
  await walk(page, 'welcome');
  await ask(page);
  await badge(page).waitFor();
  await walk(page, 'an answer');
  const places = [['/settings', 'Appearance'], ['/settings/data', 'Connect a database'], ['/boards', 'Boards'], ['/admin/users', 'New user']];
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [path, sign] of places) {
      await page.goto(url + path);
      await page.getByText(sign).first().waitFor();
      await walk(page, `${path}, ${theme}`);
    }
  }
}

await tell(signIn, walks);
