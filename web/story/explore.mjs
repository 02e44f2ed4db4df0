/**
 * The explorer: a file that stays in the browser, a scripted server that asks for its cells, charts, a report, a
 * connection that is lost; in both themes and three widths. Everything that is sent is searched for cells.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, button, say, signIn, tell } from './story.mjs';

const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];
const SECRETS = ['Ottilie', 'Quintaseca', '918273.645', '777123', '2031-07-19'];
const CSV = `person,town,paid,bonus,day\n${Array.from({ length: 40 }, (_, i) =>
  `Person ${i},${i % 4 ? 'Quintaseca' : 'Valdouro'},${(i * 7) % 50}.5,0,2024-01-${String(1 + (i % 28)).padStart(2, '0')}`).join('\n')}\nOttilie,Vermoim,918273.645,777123,2031-07-19\n`;

const sentOut = [];
const calls = [
  ['executeSQLQuery', { query: 'SELECT * FROM t_parsed', reason: 'All rows' }, [{ id: 'result', sql: 'SELECT * FROM t_parsed', aggregate: false }]],
  ['executeSQLQuery', { query: '…', reason: 'The one' }, [{ id: 'result', sql: "SELECT max(person), sum(paid), count(*) FROM t_parsed WHERE person = 'Ottilie'", aggregate: false }]],
  ['executeSQLQuery', { query: '…', reason: 'By town' }, [{ id: 'result', sql: 'SELECT town, count(*) AS n, avg(paid) AS mean FROM t_parsed GROUP BY town ORDER BY n DESC', aggregate: false }]],
  ['executeSQLQuery', { query: '…', reason: 'An error' }, [{ id: 'result', sql: 'SELECT person::INT FROM t_parsed', aggregate: false }]],
  ['executeSQLQuery', { query: '…', reason: 'A file of the machine' }, [{ id: 'result', sql: "SELECT * FROM '/etc/passwd'", aggregate: false }, { id: 'drop', sql: 'DROP TABLE t_parsed', aggregate: false }]],
  ['createVisualization', {
    chartType: 'bar', title: 'People by town', reason: 'To compare', sqlQuery: '…',
    vegaLiteSpec: { mark: { type: 'bar', href: 'http://evil.example/' }, data: { url: 'http://evil.example/d.csv' }, encoding: { x: { field: 'town', type: 'nominal' }, y: { field: 'n', type: 'quantitative' } } },
  }, [{ id: 'result', sql: 'SELECT town, count(*) AS n FROM t_parsed GROUP BY town', aggregate: false }]],
];
const id = (i) => `00000000-0000-4000-8000-00000000000${i}`;
const SUMMARY = 'Most people are in **town #1**. <img src=x onerror=alert(1)>';
const REPORT = '# Report\n\nIn town #1 are most of them.\n\n| town | n |\n|---|---|\n| town #1 | 30 |\n\n```sql\nSELECT 1\n```\n\n<script>alert(1)</script>\n';

const frames = (chunks, from) => `${chunks.map((chunk, i) => `id: ${from + i}\ndata: ${JSON.stringify(chunk)}\n\n`).join('')}`;

/** What the page calls Quintaseca. Calls run side by side, so that any town may be the first. */
let town = 'town #1';
const named = (text) => text.replaceAll('town #1', town);

/** The server's side, in the browser's network: the stream is cut after the calls, and goes on when they are answered. */
async function scripted(page) {
  let answered = new Map();
  let whole;
  let all = new Promise((resolve) => { whole = resolve; });
  await page.route('**/api/agentic-explore-bridge', (route) => {
    answered = new Map();
    all = new Promise((resolve) => { whole = resolve; });
    const chunks = [
      { type: 'start', messageId: id(9) }, { type: 'start-step' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'I look at the file.' }, { type: 'text-end', id: 't' },
      ...calls.map(([toolName, input, queries], i) => ({ type: 'tool-input-available', toolCallId: id(i), toolName, input: { ...input, queries } })),
    ];
    return route.fulfill({ status: 200, headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' }, body: frames(chunks, 1) });
  });
  await page.route('**/api/agentic-explore-bridge/*/stream', async (route) => {
    await all;
    town = answered.get(id(2)).result.results[0].rows?.[0][0] ?? town;
    const chunks = [
      ...calls.map((_call, i) => ({ type: 'tool-output-available', toolCallId: id(i), output: { success: true } })),
      { type: 'data-refused', id: id(8), data: { toolName: 'executeSQLQuery', input: { reason: 'Two statements' }, output: { success: false, error: 'One statement only.' } } },
      { type: 'finish-step' },
      { type: 'data-exploration', id: id(9), data: { status: 'exploration_complete', summary: named(SUMMARY), insights: [named('town #1 leads'), 'Nulls are rare'], executedQueries: [], charts: [], metadata: { stepCount: 1, tokensUsed: 1, durationMs: 1 } } },
      { type: 'finish' },
    ];
    await route.fulfill({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: `${frames(chunks, 100)}data: [DONE]\n\n` });
  });
  let failed = false;
  await page.route('**/api/tool-callback', async (route) => {
    if (!failed) { // the first answer is lost once
      failed = true;
      return route.abort();
    }
    const body = route.request().postDataJSON();
    answered.set(body.toolCallId, body);
    if (answered.size === calls.length) whole();
    return route.fulfill({ status: 200, json: { success: true, message: 'The result was received.' } });
  });
  await page.route('**/api/report', (route) => route.fulfill({ status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: named(REPORT) }));
  return () => answered;
}

function capture(page) {
  page.on('request', (request) => {
    const text = `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`;
    sentOut.push(text);
  });
}

function noCellLeft(where) {
  for (const secret of SECRETS) {
    const leak = sentOut.find((text) => text.includes(secret));
    assert.equal(leak, undefined, `${where}: a cell was sent: ${leak?.slice(0, 500)}`);
  }
}

async function look(page, name) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await browser.shot(`explore-${name}-${wide}-${theme}`);
      await browser.fits(`${name} (${wide})`);
      await browser.axe(`${name} (${theme}, ${wide})`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1360, height: 850 });
}

let answers;

async function drop(page, files) {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer();
    all.forEach(([name, text]) => made.items.add(new File([text], name)));
    return made;
  }, files);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

async function theMenuLeadsThere(page) {
  answers = await scripted(page);
  capture(page);
  await page.getByRole('button', { name: /@example\.org/ }).click();
  await page.getByRole('menuitem', { name: 'Explore a file' }).click();
  await page.getByRole('heading', { name: /Drop a file to explore it/ }).waitFor();
  await look(page, 'empty');
}

async function aFileThatCannotBeReadIsRefused(page) {
  await drop(page, [['book.xlsx', 'PK']]);
  await page.getByText(/Excel files cannot be read in the browser/).waitFor();
  await drop(page, [['broken.json', '{"a":']]);
  await page.getByText('The file is not valid JSON.').waitFor();
  await drop(page, [['a.csv', 'a\n1\n'], ['b.csv', 'b\n1\n']]);
  await page.getByText('The explorer reads one file at a time.').waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'explore-'));
  const large = join(folder, 'large.csv');
  writeFileSync(large, 'a\n1\n');
  truncateSync(large, 2 * 1024 ** 3); // without blocks on the disk
  await page.getByLabel('File to explore').setInputFiles(large);
  await page.getByText(/"large\.csv" has 2\.0 GB\. The browser can explore CSV files of up to 1\.0 GB/).waitFor();
  rmSync(folder, { recursive: true });
}

async function aFileIsLoaded(page) {
  await drop(page, [['people.csv', CSV]]);
  await page.getByText(/: 41 rows, 5 columns, in this browser only/).waitFor();
  say('the file is loaded');
  assert.equal(await page.getByRole('radio', { name: 'Aggregates' }).isChecked(), true);
  await look(page, 'loaded');
}

async function ask(page, question) {
  await page.getByLabel('Your question').fill(question);
  await button(page, 'Explore').click();
  await page.getByRole('region', { name: `Exploration: ${question}` }).getByRole('region', { name: 'Summary' }).waitFor();
}

async function itIsExploredWithoutItsCells(page) {
  await ask(page, 'Where are the people?');
  noCellLeft('aggregates');
  const result = (i) => answers().get(id(i)).result.results[0];
  assert.deepEqual(result(0), { id: 'result', columns: ['person', 'town', 'paid', 'bonus', 'day'], types: ['VARCHAR', 'VARCHAR', 'DOUBLE', 'BIGINT', 'DATE'], withheld: true, rowCount: 41 });
  assert.match(result(2).rows[0][0], /^town #[123]$/);
  assert.equal(result(2).rows[0][1], 30);
  assert.equal(result(2).rows[2][2], null);
  assert.match(result(3).error, /not shared/);
  assert.match(answers().get(id(4)).result.results[1].error, /Only SELECT/);
  await page.getByText('Most people are in').waitFor();
  assert.match(await page.getByRole('region', { name: 'Summary' }).innerText(), /Quintaseca/);
  assert.match(await page.getByRole('region', { name: 'Findings' }).innerText(), /Quintaseca leads/);
  await page.getByRole('img', { name: 'bar chart: People by town' }).locator('svg').waitFor();
  await look(page, 'found');
}

async function theActivityShowsRows(page) {
  await button(page, /^Activity: 7 calls/).click();
  await button(page, /All rows/).click();
  await page.getByRole('group', { name: /^Rows: / }).getByText('Person 0', { exact: true }).waitFor();
  await browser.axe('the activity');
  await browser.shot('explore-activity');
}

async function theChartIsChangedAndSaved(page) {
  const kinds = page.getByRole('group', { name: 'Kind of chart' }).first();
  for (const kind of ['pie', 'line', 'bar']) {
    await kinds.getByRole('button', { name: kind }).click();
    await page.getByRole('img', { name: `${kind} chart: People by town` }).locator('svg').waitFor();
  }
  for (const [name, start] of [['PNG', '\u0089PNG'], ['SVG', '<svg']]) {
    const download = page.waitForEvent('download');
    await button(page, name).first().click();
    assert.ok(readFileSync(await (await download).path(), 'latin1').startsWith(start));
  }
  await button(page, 'Full screen').first().click();
  await page.getByRole('dialog').getByRole('img', { name: /People by town/ }).locator('svg').waitFor();
  await look(page, 'full');
  const room = await page.getByRole('dialog').evaluate((dialog) => dialog.querySelector('[role=img] svg').getBoundingClientRect().height / innerHeight);
  assert.ok(room > 0.6, `the chart takes ${room} of the window`);
  await page.keyboard.press('Escape');
}

async function itIsStoppedAndAskedAgain(page) {
  const lost = (route) => route.abort();
  await page.route('**/api/tool-callback', lost);
  await page.getByLabel('Your question').fill('And who else?');
  await button(page, 'Explore').click();
  const turn = page.getByRole('region', { name: 'Exploration: And who else?' });
  await turn.getByText('By town', { exact: true }).waitFor();
  await look(page, 'exploring');
  await turn.getByRole('button', { name: 'Stop' }).click();
  await turn.getByText('Stopped.').waitFor();
  assert.equal(await turn.getByRole('button', { name: /report/ }).count(), 0);
  await look(page, 'stopped');
  await page.unroute('**/api/tool-callback', lost);
  await turn.getByRole('button', { name: 'Ask again' }).click();
  await turn.last().getByRole('region', { name: 'Summary' }).waitFor();
  noCellLeft('what was asked again');
}

async function theReportIsWrittenAndSaved(page) {
  await button(page, 'Generate full report').click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByRole('cell', { name: 'Quintaseca' }).waitFor();
  await look(page, 'report');
  const download = page.waitForEvent('download');
  await report.getByRole('button', { name: 'HTML' }).click();
  const html = readFileSync(await (await download).path(), 'utf8');
  assert.match(html, /<h1>Report<\/h1>/);
  assert.match(html, /Quintaseca/);
  assert.match(html, /src="data:image\/svg\+xml;base64,/);
  assert.doesNotMatch(html, /<script|http:\/\/evil|onerror=/);
  noCellLeft('the report');
  const offline = await browser.context.newPage();
  await offline.setContent(html);
  assert.equal(await offline.evaluate(() => document.images[0].naturalWidth > 100), true);
  await offline.screenshot({ path: `${process.argv[5] ?? '/tmp'}/explore-saved.png`, fullPage: true });
  await offline.close();
}

async function aFollowUpIsAsked(page) {
  await button(page, 'Ask follow-up').click();
  assert.equal(await page.getByLabel('Your question').evaluate((it) => it === document.activeElement), true);
  const asked = () => sentOut.findLast((text) => /POST \S+agentic-explore-bridge /.test(text));
  await ask(page, 'And where else?');
  assert.ok(asked().includes(`Most people are in **${town}`));
  await page.getByRole('radio', { name: 'Nothing' }).check();
  await ask(page, 'And without numbers?');
  noCellLeft('nothing');
  assert.equal(answers().get(id(2)).result.results[0].withheld, true);
  assert.ok(!asked().includes('Most people are in')); // more was shared for it than now
}

async function rowsAreSentWhenThePersonSaysSo(page) {
  await page.getByRole('radio', { name: 'Rows' }).check();
  await ask(page, 'With rows?');
  assert.ok(sentOut.some((text) => text.includes('Ottilie')));
}

/** From here on the real server answers: it has no key for a language model. */
async function theBuiltInAnalystSeesNoCell(page) {
  await page.unrouteAll();
  sentOut.length = 0;
  await page.getByRole('radio', { name: 'Aggregates' }).check();
  await ask(page, 'average paid by town');
  noCellLeft('the built-in analyst');
  assert.ok(sentOut.filter((text) => text.includes('/api/tool-callback')).length >= 3);
}

async function itStartsOver(page) {
  await button(page, 'Start over').click();
  assert.equal(await page.getByRole('region', { name: 'Summary' }).count(), 0);
  await button(page, 'Close the file').click();
  await button(page, 'Try a sample file').click();
  await page.getByText(/rentals\.csv/).first().waitFor();
  assert.ok(!page.url().includes('agent'));
}

async function theSampleIsExploredWithoutAKey(page) {
  await page.getByRole('radio', { name: 'Aggregates' }).check();
  await ask(page, 'average minutes by member');
  const found = page.getByRole('region', { name: /^Exploration: average minutes/ });
  const summary = await found.getByRole('region', { name: 'Summary' }).innerText();
  assert.match(summary, /360 rows and 9 columns/);
  assert.match(summary, /Average of minutes is largest where member is (true|false): \d+\.\d\d\./);
  await found.getByRole('img', { name: 'bar chart: Average of minutes by member' }).locator('svg').waitFor();
  await button(page, /^Activity: 3 calls in 3 steps/).click();
  await button(page, /^Profile/).click();
  await look(page, 'keyless');
  await button(page, 'Generate full report').click();
  const report = found.getByRole('region', { name: 'Report' });
  await report.getByRole('heading', { name: 'Report: average minutes by member' }).waitFor();
  await report.getByText('Limits', { exact: true }).waitFor();
  assert.match(await report.innerText(), /where member is (true|false): /);
  await look(page, 'keyless-report');
}

browser.expected = /ERR_FAILED|Failed to load resource/;
await tell(signIn, theMenuLeadsThere, aFileThatCannotBeReadIsRefused, aFileIsLoaded, itIsExploredWithoutItsCells, theActivityShowsRows,
  theChartIsChangedAndSaved, theReportIsWrittenAndSaved, itIsStoppedAndAskedAgain, aFollowUpIsAsked, rowsAreSentWhenThePersonSaysSo, theBuiltInAnalystSeesNoCell, itStartsOver, theSampleIsExploredWithoutAKey);
