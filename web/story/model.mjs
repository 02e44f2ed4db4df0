/**
 * The model of the data is corrected in the page: labels, synonyms, hidden fields, a metric with the value that it has
 * now, a relationship with evidence, instructions, another text, versions with undo, the graph, delete with undo; and
 * from an answer. A viewer only reads. In both themes and three widths.
 */
import assert from 'node:assert/strict';
import { ask, badge, browser, button, outside, signIn, tell, url } from './story.mjs';

const WIDTHS = [['wide', 1360, 850], ['tablet', 820, 1100], ['phone', 390, 844]];
const tab = (page, name) => page.getByRole('tab', { name, exact: true });
const status = (page, name) => page.getByRole('status', { name });
const version = (page, n) => page.getByText(`Version ${n} of the model`).waitFor();
const dialog = (page) => page.getByRole('dialog');

async function look(page, name) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html.${theme}`).waitFor();
    for (const [wide, width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await browser.shot(`model-${name}-${wide}-${theme}`);
      await browser.fits(`${name} (${wide})`);
      await browser.axe(`${name} (${theme}, ${wide})`);
    }
  }
  await page.setViewportSize({ width: 1360, height: 850 });
}

let ontology;

async function opens(page) {
  ontology = await outside('own');
  await page.goto(`${url}/settings/data`);
  await page.getByRole('link', { name: `Open ${ontology.name}` }).click();
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
  await version(page, 1);
}

/** Edits a text where it is. */
async function write(page, label, text) {
  await button(page, `Edit: ${label}`, { exact: true }).click();
  const field = page.getByRole('textbox', { name: label, exact: true });
  await field.fill(text);
  await button(page, `Save: ${label}`, { exact: true }).click();
  await field.waitFor({ state: 'detached' });
}

async function describes(page) {
  await button(page, /^stores/).click();
  await write(page, 'Label of stores', 'Shops');
  await version(page, 2);
  await button(page, /^Shops/).waitFor();
  await write(page, 'Synonyms of stores.city', 'town, place');
  await version(page, 3);
  await page.getByText('town, place').waitFor();
  await button(page, 'Edit: Label of stores.city').click();
  const field = page.getByRole('textbox', { name: 'Label of stores.city' });
  await field.fill('x'.repeat(300));
  await field.press('Enter');
  await page.getByText('Label is too long').waitFor();
  await field.press('Escape');
  await button(page, 'Hide stores.employees').click();
  await button(page, 'Show stores.employees again').waitFor();
  await look(page, 'datasets');
}

async function defines(page) {
  await tab(page, 'Metrics').click();
  await button(page, 'New metric').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('line_count');
  const expression = page.getByRole('textbox', { name: 'Expression' });
  await expression.fill('sum(order_items.nothing)');
  await status(page, 'Value now').getByText('is not a field').waitFor();
  await expression.fill('count(order_items.order_item_id)');
  await status(page, 'Value now').getByText(/^\d[\d,]+$/).waitFor();
  await look(page, 'metric');
  await button(page, 'Save', { exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByText('line_count').first().waitFor();
  await button(page, 'Remove line_count').click();
  await page.getByText('"line_count" removed').waitFor();
  await button(page, 'Undo').click();
  await page.getByText('count(order_items.order_item_id)').waitFor();
  await look(page, 'metrics');
}

async function choose(page, label, option) {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function relates(page) {
  await tab(page, 'Relationships').click();
  await button(page, 'New relationship').click();
  await choose(page, 'Many side', 'stores');
  await choose(page, 'One side', 'orders');
  await choose(page, 'Column of stores', 'store_id');
  await choose(page, 'Column of orders', 'store_id');
  await status(page, 'Evidence').getByText(/a join repeats rows of stores/).waitFor();
  await look(page, 'relationship');
  await button(page, 'Cancel').click();
  await button(page, 'Edit orders_to_stores').click();
  await status(page, 'Evidence').getByText(/the join repeats no row/).waitFor();
  await button(page, 'Cancel').click();
  await look(page, 'relationships');
}

async function instructs(page) {
  await tab(page, 'Instructions').click();
  await write(page, 'Instructions of the model', 'Money is in US dollars.\nBe brief.');
  await page.getByText('Be brief.').waitFor();
  await look(page, 'instructions');
}

async function draws(page) {
  await tab(page, 'Graph').click();
  const node = page.locator('.react-flow__node', { hasText: 'Shops' });
  await node.click();
  await page.getByRole('region', { name: 'Fields of stores' }).waitFor();
  await page.getByLabel('Search the graph').fill('sales floor');
  await page.getByText(/^1 of \d+ datasets mention it$/).waitFor();
  await look(page, 'graph');
}

async function replaces(page) {
  await tab(page, 'YAML').click();
  const shown = page.getByRole('main').locator('pre');
  await shown.getByText('semantic_model').first().waitFor();
  const text = await outside('text');
  const file = (content) => ({ name: 'model.yaml', mimeType: 'text/yaml', buffer: Buffer.from(content) });
  const input = page.getByLabel('OSI file that replaces the model');
  await input.setInputFiles(file('version: 0.1.1\nsemantic_model:\n  - name: 7\n'));
  await page.getByRole('alert').filter({ hasText: 'Datasets is missing' }).waitFor();
  await input.setInputFiles(file(text.replace('label: Opening Date', 'label: Opened')));
  await dialog(page).getByText('Label of stores.opened_on: "Opening Date" is now "Opened"').waitFor();
  await look(page, 'replace');
  await dialog(page).getByRole('button', { name: 'Replace' }).click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function undoes(page) {
  await tab(page, 'Versions').click();
  await page.getByText('Label of stores: "Shops"').first().waitFor();
  await button(page, 'Lines of version 2').click();
  await page.getByRole('group', { name: 'Changed lines' }).getByText('label: Shops').waitFor();
  await look(page, 'versions');
  await button(page, 'Restore version 1').click();
  await page.getByText(/Version 1 is restored/).waitFor();
  await tab(page, 'Datasets').click();
  await button(page, /^stores/).waitFor();
}

async function asksWhat(page) {
  await page.goto(`${url}/agent?ontology=${ontology.id}`);
  await page.getByRole('combobox', { name: 'Ontology' }).and(page.locator(`[value^="${ontology.name}"]`)).waitFor();
  await ask(page, 'sales by city in 2025');
  await badge(page).waitFor();
  await button(page, 'What is sales?').click();
  await dialog(page).getByText('SUM(order_items.line_total)').waitFor();
  await look(page, 'term');
  await choose(page, '"sales" means', 'completed_revenue');
  await page.getByText('Questions about "sales" now use completed_revenue.').waitFor();
  const changed = await outside('text');
  assert.match(changed.split('- name: completed_revenue')[1].split('- name:')[0], /- sales/);
}

async function deletes(page) {
  await page.goto(`${url}/settings/data/ontologies/${ontology.id}`);
  await button(page, 'Delete', { exact: true }).click();
  await page.getByText(`"${ontology.name}" deleted`).waitFor();
  await page.getByRole('link', { name: `Open ${ontology.name}` }).waitFor({ state: 'detached' });
  await button(page, 'Undo').click();
  await page.getByRole('link', { name: `Open ${ontology.name}` }).waitFor();
}

async function readsOnly(page) {
  const other = await outside('foreign');
  await page.goto(`${url}/settings/data/ontologies/${other}`);
  await page.getByText('only its owner and admins can change it').waitFor();
  await button(page, /^stores/).click();
  await page.getByRole('region', { name: 'Fields of stores' }).waitFor();
  assert.equal(await button(page, /^(Edit|Hide|Delete|Remove)/).count(), 0);
}

// Edits with an error, and what was deleted a moment before.
browser.refusals = /^(400 .api.semantic-models.[0-9a-f-]+.edits|404 .api.ontologies.[0-9a-f-]+)$/;
await tell(signIn, opens, describes, defines, relates, instructs, draws, replaces, undoes, asksWhat, deletes, readsOnly);
