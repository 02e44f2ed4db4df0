/** A board as one HTML file that opens without a network: charts as pictures, tables, queries. It has no scripts, and its policy allows none. */
import type { TopLevelSpec } from 'vega-lite';
import type { BoardCard, BoardWithCards } from '../api/types';
import { LIGHT_CHART } from '../theme/chartColors';
import { choiceOfCard, rowsOfCard } from './cardChart';
import { chartData } from './chartData';
import { chartSpec } from './chartSpec';
import { escapeHtml } from './reportFile';
import { countText, formatCell, type Rows } from './rows';
import { svgImage } from './svgImage';
import { NO_UNITS, type Units } from './units';

/** A table of the file has no more rows. */
const ROWS_MOST = 200;
const { ink, line, series } = LIGHT_CHART;
const axis = { labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, labelSeparation: 14 };
const config = { background: '#ffffff', axis, view: { stroke: 'transparent' }, mark: { color: series[0] }, range: { category: series }, font: 'system-ui, sans-serif' };

/** The chart as an image, with what has to be said about it. */
async function picture(rows: Rows, card: BoardCard): Promise<string> {
  const choice = choiceOfCard(rows, card.chart);
  if (!choice) return '';
  const data = chartData(rows, choice);
  const spec = { ...chartSpec(data, choice, card.width > 6 ? 1000 : 520, 280), config } as TopLevelSpec;
  const label = `${data.mark} chart of ${choice.y.name} by ${choice.x.name}: ${card.title}`;
  return `<img alt="${escapeHtml(label)}" src="${await svgImage(spec)}">`
    + data.notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join('');
}

function table(rows: Rows, title: string): string {
  const cell = (tag: 'td' | 'th', kind: string, text: string) =>
    `<${tag}${tag === 'th' ? ' scope="col"' : ''}${kind === 'number' ? ' class="n"' : ''}>${escapeHtml(text)}</${tag}>`;
  const head = rows.columns.map((column) => cell('th', column.kind, column.name)).join('');
  const shown = rows.rows.slice(0, ROWS_MOST);
  const body = shown.map((row) => `<tr>${rows.columns.map((column) => cell('td', column.kind, formatCell(row[column.name], column.kind, column))).join('')}</tr>`);
  return `<div class="rows" role="group" aria-label="${escapeHtml(`Rows: ${title}`)}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>
<p class="note">${escapeHtml(countText({ ...rows, rows: shown }))}</p>`;
}

async function section(card: BoardCard, units: Units): Promise<string> {
  const rows = rowsOfCard(card, units);
  const chart = rows ? await picture(rows, card).catch(() => '<p>The chart could not be drawn.</p>') : '';
  const grid = rows ? table(rows, card.title) : '<p>It has no rows.</p>';
  const about = [card.ontologyName, `rows of ${card.rowsAt.slice(0, 16).replace('T', ' ')} UTC`, card.period && `its dates are those of ${card.period}`].filter(Boolean).join(' · ');
  return `<section style="grid-column:span ${card.width}"><h2>${escapeHtml(card.title)}</h2>
${card.state === 'fresh' ? '' : `<p class="problem">These rows are not current: ${escapeHtml(card.problem ?? '')}</p>`}
${chart ? `${chart}<details><summary>Rows</summary>${grid}</details>` : grid}
<details><summary>Question and SQL</summary><p>${escapeHtml(card.question)}</p><pre><code>${escapeHtml(card.sql)}</code></pre></details>
<p class="note">${escapeHtml(about)}</p></section>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem;color:#16211f;background:#fff}
main{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem}section{border:1px solid #d9e2e0;border-radius:8px;padding:1rem;min-width:0;break-inside:avoid}
h1,h2,p,td,summary{overflow-wrap:anywhere}h2{font-size:1.1rem;margin:0 0 .5rem}img{max-width:100%}.rows{overflow:auto;max-height:26rem}
table{border-collapse:collapse;font-size:.9rem}th,td{border-bottom:1px solid #d9e2e0;padding:.25rem .7rem;text-align:left}.n{text-align:right;font-variant-numeric:tabular-nums}
pre{background:#f2f6f5;padding:.8rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}.note,footer{color:#51605d;font-size:.85rem}.problem{color:#8a3b00}
@media(max-width:800px){main{display:block}section{margin-bottom:1rem}}@media print{.rows{max-height:none}}`;

export async function boardFile(board: BoardWithCards, unitsOf: (ontologyId: string | null) => Units = () => NO_UNITS, now = new Date()): Promise<string> {
  const sections: string[] = [];
  for (const card of board.cards) sections.push(await section(card, unitsOf(card.ontologyId)));
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${escapeHtml(board.name)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(board.name)}</h1><main>
${sections.join('\n')}
</main><footer>Exported from Sextant on ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</footer></body></html>
`;
}
