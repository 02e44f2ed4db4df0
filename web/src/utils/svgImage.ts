/** A chart as an image in a `data:` address, for files that open without a network: as an image, nothing in it can run. */
import { parse, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';

const refuse = () => Promise.reject(new Error('Charts load nothing.'));
const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += 8192) out += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(out);
}

export async function svgImage(spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec).spec, undefined, { ast: true }),
    { renderer: 'none', expr: expressionInterpreter, loader } as ConstructorParameters<typeof View>[1]);
  try {
    return `data:image/svg+xml;base64,${base64(await view.toSVG())}`;
  } finally {
    view.finalize();
  }
}
