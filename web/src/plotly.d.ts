/** The part of Plotly that the page uses. */
declare module 'plotly.js-basic-dist-min' {
  type Json = Record<string, unknown>;
  const Plotly: {
    react(place: HTMLElement, data: Json[], layout: Json, config: Json): Promise<HTMLElement>;
    purge(place: HTMLElement): void;
    toImage(figure: { data: Json[]; layout: Json; config?: Json }, options: { format: 'png'; width: number; height: number; scale: number }): Promise<string>;
  };
  export default Plotly;
}
