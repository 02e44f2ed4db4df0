/**
 * A scripted model explores a file in the browser with all four tools, against the real server: the server checks the
 * calls and builds their queries, DuckDB runs them here. Aggregates are shared; everything that is sent is searched for cells.
 */
import assert from 'node:assert/strict';
import { browser, button, outside, signIn, tell, url } from './story.mjs';

const SECRETS = ['Ottilie', 'Quintaseca', '918273', '2031-07-19'];
const CSV = `person,town,paid,day\n${Array.from({ length: 60 }, (_, i) =>
  `Person ${i},${i % 3 ? 'Quintaseca' : 'Valdouro'},${i % 3 ? 40 + (i % 5) : 20 + (i % 5)},2024-01-${String(1 + (i % 28)).padStart(2, '0')}`).join('\n')}\nOttilie,Vermoim,918273,2031-07-19\n`;
const QUESTION = 'Which town pays more?';

const sent = [];

async function aFileIsDropped(page) {
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(`${url}/explore`);
  const transfer = await page.evaluateHandle((text) => {
    const made = new DataTransfer();
    made.items.add(new File([text], 'people.csv'));
    return made;
  }, CSV);
  await page.getByRole('heading', { name: /Drop a file to explore it/ }).waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await page.getByText(/: 61 rows, 4 columns, in this browser only/).waitFor();
}

async function allFourToolsAreCalled(page) {
  await outside('play');
  await page.getByLabel('Your question').fill(QUESTION);
  await button(page, 'Explore').click();
  const found = page.getByRole('region', { name: `Exploration: ${QUESTION}` });
  await found.getByRole('region', { name: 'Summary' }).getByText('Of two towns, one pays about twice as much.').waitFor();
  await found.getByRole('region', { name: 'Findings' }).getByText('What is paid differs by town').waitFor();
  await found.getByRole('img', { name: 'bar chart: Paid by town' }).locator('svg').getByText('Quintaseca').waitFor();
  await button(page, /^Activity: 5 calls in 6 steps/).click();
  for (const name of [/^Profile/, /^Query.*Mean by town.*Done/, /^Chart.*Paid by town.*Done/, /^Check of a finding.*What is paid differs.*Passed/])
    await found.getByRole('button', { name }).waitFor();
  await found.getByRole('button', { name: /^Query.*A mistake/ }).getByText('Failed').waitFor();
  for (const name of [/^Profile/, /^Check of a finding/]) await found.getByRole('button', { name }).click();
  await found.getByRole('cell', { name: 'Quintaseca' }).first().waitFor(); // the most frequent town, which only the person sees
  await found.getByText(/hardly by chance/).first().waitFor();
  await browser.shot('explore-tools');
  await browser.axe('four tools');
}

async function theReportHasChartsAndQueries(page) {
  await button(page, 'Generate full report').click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('One town pays more.').waitFor();
  await report.getByRole('heading', { name: 'Charts' }).waitFor();
  await report.getByText('Mean by town; Paid by town').waitFor(); // one query, for two calls
  assert.doesNotMatch(await report.innerText(), /explorer_rows/);
  await browser.axe('the report of four tools');
}

async function noCellLeft() {
  for (const secret of SECRETS) {
    const leak = sent.find((text) => text.includes(secret));
    assert.equal(leak, undefined, `a cell was sent: ${leak?.slice(0, 500)}`);
  }
  assert.ok(sent.filter((text) => text.includes('/api/tool-callback')).length >= 4);
}

await tell(signIn, aFileIsDropped, allFourToolsAreCalled, theReportHasChartsAndQueries, noCellLeft);
