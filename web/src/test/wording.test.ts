/** The words of docs/glossary.md, "On the page". */
const files = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx'], { query: '?raw', import: 'default', eager: true });

/** Texts of buttons, labels and titles. */
function textsOf(source: string): string[] {
  return [...source.matchAll(/(?:aria-label|title|act|label)=(?:\{?["'`])([^"'`]+)|>\s*([A-Z][^<>{}]*)</g)].map(([, value, child]) => (value ?? child)!.trim());
}

const texts = Object.entries(files).flatMap(([file, source]) => textsOf(source).map((text) => ({ file, text })));
const saying = (pattern: RegExp) => texts.filter(({ text }) => pattern.test(text)).map(({ file, text }) => `${file}: ${text}`);

describe('the words of the page', () => {
  it('are read', () => {
    expect(saying(/^Edit /).length).toBeGreaterThan(3);
    expect(saying(/^Delete/).length).toBeGreaterThan(5);
  });

  it('say Edit, not Change', () => {
    expect(saying(/^Change\b/)).toEqual([]);
  });

  it('delete things, and remove parts', () => {
    expect(saying(/^Remove\b.*\b(chat|board|schedule|connection|ontology|query)\b/i)).toEqual([]);
    expect(saying(/^Delete\b.*\b(card|metric|relationship)\b/i)).toEqual([]);
  });
});
