/** The report as one HTML file that opens without a network: text, charts as pictures, queries. It has no scripts, and its policy allows none. */
import type { TopLevelSpec } from 'vega-lite';
import { svgImage } from './svgImage';
import { asType, chartTypeOf, drawn, readSpec, TYPE_NAMES, type ChartType } from './vegaSpec';
import type { LocalResult } from './disclosure';

export interface ReportParts {
  title: string;
  fileName: string;
  /** The rendered text: it has been sanitized. */
  prose: HTMLElement;
  /** `type`: as the person wants it; absent: as the model wrote it. */
  charts: { title: string; chartType: unknown; type?: ChartType; spec: unknown; result: LocalResult }[];
  queries: { sql: string; reason: string }[];
}

const KEPT = new Set([
  'P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'LI', 'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD', 'PRE', 'CODE', 'EM', 'STRONG', 'DEL',
  'BLOCKQUOTE', 'HR', 'BR', 'SUP', 'SUB',
]);
const DROPPED = new Set(['BUTTON', 'SVG', 'STYLE', 'SCRIPT', 'INPUT', 'IMG', 'IFRAME', 'OBJECT']);

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** In the page, headings of the text are two levels below those of the page. */
const heading = (tag: string) => tag.replace(/^H(\d)$/, (_all, level: string) => `H${Math.max(1, Number(level) - 2)}`);

/** Only known elements, without attributes. Lines of code are `div`s in the page. */
export function plainHtml(node: Node, code = false): string {
  if (node.nodeType === Node.TEXT_NODE) return escapeHtml(node.textContent ?? '');
  if (!(node instanceof Element) || DROPPED.has(node.tagName.toUpperCase())) return '';
  const tag = node.tagName.toUpperCase();
  const inner = [...node.childNodes].map((child) => plainHtml(child, code || tag === 'PRE')).join('');
  if (tag === 'DIV' && code) return `${inner}\n`;
  if (!KEPT.has(tag)) return inner;
  const name = heading(tag).toLowerCase();
  return tag === 'HR' || tag === 'BR' ? `<${name}>` : `<${name}>${inner}</${name}>`;
}

export const chartImage = (spec: unknown, result: LocalResult, first: ChartType = 'bar', type = first): Promise<string> =>
  svgImage(drawn(asType(readSpec(spec), first, type), result, 640, 320) as TopLevelSpec);

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#16211f;background:#fff}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border-bottom:1px solid #d9e2e0;padding:.3rem .8rem;text-align:left}
pre{background:#f2f6f5;padding:.8rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}figure{margin:1.5rem 0;break-inside:avoid}img{max-width:100%}
figcaption,footer{color:#51605d;font-size:.9rem}p,li,h1,h2{overflow-wrap:anywhere}`;

export async function reportFile({ title, fileName, prose, charts, queries }: ReportParts): Promise<string> {
  const figures: string[] = [];
  for (const chart of charts) {
    const first = chartTypeOf(chart.chartType);
    const image = await chartImage(chart.spec, chart.result, first, chart.type).catch(() => null);
    const name = escapeHtml(chart.title);
    figures.push(image
      ? `<figure><img alt="${escapeHtml(`${TYPE_NAMES[chart.type ?? first]} chart: ${chart.title}`)}" src="${image}"><figcaption>${name}</figcaption></figure>`
      : `<p>The chart "${name}" could not be drawn.</p>`);
  }
  const code = queries.map(({ sql, reason }) => `${reason ? `<p>${escapeHtml(reason)}</p>` : ''}<pre><code>${escapeHtml(sql)}</code></pre>`);
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${plainHtml(prose)}
${figures.length > 0 ? `<h2>Charts</h2>${figures.join('\n')}` : ''}
${code.length > 0 ? `<h2>Queries</h2>${code.join('\n')}` : ''}</main>
<footer>Question: ${escapeHtml(title)}<br>File: ${escapeHtml(fileName)}</footer></body></html>
`;
}
