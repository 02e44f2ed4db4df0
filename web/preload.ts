/**
 * Puts a small entry before that of the page, which runs while the others are loaded, and leaves in
 * the page the names of the files of parts that some addresses need, for `src/api/begin.ts`.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** The files of a chunk and of its static imports. */
function filesOf(name: string, bundle: Bundle): string[] {
  const files = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || files.has(file)) return;
    files.add(file);
    chunk.imports.forEach(add);
  };
  const first = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
  if (!first) throw new Error(`there is no chunk ${name}`);
  add(first.fileName);
  return [...files];
}

const urlOf = (file: string) => `/app/${file}`;

export function preload(first: string, ...parts: string[]): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const isThere = (file: string) => html.includes(file);
        const metas = parts.map((part): HtmlTagDescriptor => {
          const content = filesOf(part, bundle).filter((file) => !isThere(file)).map(urlOf).join(' ');
          return { tag: 'meta', attrs: { name: `chunks-of-${part}`, content }, injectTo: 'head' };
        });
        const links = filesOf(first, bundle).flatMap((file, at) => {
          if (at === 0) return `<script type="module" crossorigin src="${urlOf(file)}"></script>`;
          return isThere(file) ? [] : `<link rel="modulepreload" crossorigin href="${urlOf(file)}">`;
        });
        return { html: html.replace(/(?=<script )/, `${links.join('\n  ')}\n  `), tags: metas };
      },
    },
  };
}
