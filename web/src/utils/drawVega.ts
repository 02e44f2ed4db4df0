/**
 * Draws a Vega-Lite specification in five steps, each a task of its own: in one, as vega-embed does
 * it, the page would not react for 0.3 s while an answer is written next to it.
 */
import { parse, View } from 'vega';
import type { VisualizationSpec } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { Handler } from 'vega-tooltip';

export interface Drawing {
  place: HTMLElement;
  spec: VisualizationSpec;
  config: Config;
  renderer: 'svg' | 'canvas';
  tooltips: 'light' | 'dark';
}

const refuse = () => Promise.reject(new Error('Charts load nothing.'));
/** Charts have their data with them, and load nothing. */
const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

const pause = () => new Promise<void>((resolve) => { setTimeout(resolve); });

/** Null if the signal came first. The interpreter evaluates the expressions; none of it runs as code. */
export async function drawVega({ place, spec, config, renderer, tooltips }: Drawing, gone: AbortSignal): Promise<View | null> {
  await pause();
  if (gone.aborted) return null;
  const { spec: vega } = compile(spec as TopLevelSpec, { config });
  await pause();
  if (gone.aborted) return null;
  const runtime = parse(vega, {}, { ast: true });
  await pause();
  if (gone.aborted) return null;
  const options = { renderer, loader, expr: expressionInterpreter } as ConstructorParameters<typeof View>[1];
  const view = new View(runtime, options).tooltip(new Handler({ theme: tooltips }).call);
  try {
    await view.runAsync(); // without a place: computes the scene only
    await pause();
    if (!gone.aborted) view.initialize(place);
    await pause();
    if (!gone.aborted) await view.runAsync();
  } catch (error) {
    view.finalize();
    throw error;
  }
  if (!gone.aborted) return view;
  view.finalize();
  return null;
}
