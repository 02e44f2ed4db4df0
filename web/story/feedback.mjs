/**
 * The page shows at once that a question was taken, before the server answers. Prints the time from the
 * key to the frame that shows the question.
 */
import { button, QUESTION, say, signIn, tell, url } from './story.mjs';

const ASKED = Number(process.env.ASKED ?? 5);
const AGENT = '**/api/data-agent/**';

/** Measures from now on the time from Enter until the question and the phases are rendered. */
function watch(page) {
  return page.evaluate(() => {
    const questions = () => document.querySelectorAll('[role=log] [data-role=user]').length;
    const before = questions();
    const there = {
      question: () => questions() > before,
      phases: () => document.querySelector('[role=timer]') !== null,
    };
    const seen = {};
    let from = null;
    document.addEventListener('keydown', (event) => { from = event.timeStamp; }, { capture: true, once: true });
    globalThis.seen = new Promise((resolve) => {
      const frame = () => {
        for (const [name, is] of Object.entries(there))
          if (from !== null && !(name in seen) && is()) seen[name] = performance.now() - from;
        if (Object.keys(seen).length === 2) resolve(seen);
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
  });
}

/** The promise that the server's responses wait for. */
let gate = Promise.resolve();

function holdable(page) {
  return page.route(AGENT, async (route) => {
    await gate;
    await route.continue();
  });
}

/** Holds the server's responses until the question was visible. */
async function asks(page, held) {
  let release;
  if (held) gate = new Promise((resolve) => { release = resolve; });
  const input = page.getByLabel('Your question');
  await input.fill(QUESTION);
  await page.locator('button[aria-label=Send]:enabled').waitFor(); // the ontologies are loaded
  await watch(page);
  await input.press('Enter');
  const times = await page.evaluate(() => globalThis.seen);
  release?.();
  await button(page, 'Send').waitFor(); // the answer is complete
  await page.locator('[data-role=assistant]').last().getByRole('button', { name: 'Copy answer' }).waitFor(); // and rendered
  return times;
}

function sayOf(what, times) {
  for (const name of ['question', 'phases']) {
    const sorted = times.map((t) => t[name]).sort((a, b) => a - b);
    say(`${what}, ${name}: median ${Math.round(sorted[sorted.length >> 1])} ms, worst ${Math.round(sorted.at(-1))} ms of ${sorted.length}`);
  }
}

async function inChat(page) {
  await holdable(page);
  await asks(page, false);
  for (const held of [false, true]) {
    const times = [];
    for (let i = 0; i < ASKED; i++) times.push(await asks(page, held));
    sayOf(`in a chat${held ? ', the server held' : ''}`, times);
  }
}

async function newChats(page) {
  for (const held of [false, true]) {
    const times = [];
    for (let i = 0; i < ASKED; i++) {
      await page.goto(`${url}/agent`);
      await page.getByRole('combobox', { name: 'Language model' }).waitFor();
      times.push(await asks(page, held));
    }
    sayOf(`the first of a chat${held ? ', the server held' : ''}`, times);
  }
}

await tell(signIn, inChat, newChats);
