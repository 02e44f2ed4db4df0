import { lineDiff } from './lineDiff';

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-', gap: '…' })[kind] + text);

describe('lineDiff', () => {
  it('shows a changed line among its neighbours, and leaves out the rest', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const after = lines.with(10, 'another');
    expect(shown(lines.join('\n'), after.join('\n'))).toEqual([
      '…', ' line 7', ' line 8', ' line 9', '-line 10', '+another', ' line 11', ' line 12', ' line 13', '…',
    ]);
  });

  it('finds lines that were added or removed between equal ones', () => {
    expect(shown('a\nb\nc', 'a\nx\nb')).toEqual([' a', '+x', ' b', '-c']);
  });

  it('is empty for equal texts', () => {
    expect(shown('a\nb', 'a\nb')).toEqual([]);
  });

  it('does not compare texts that are too long to be compared', () => {
    const many = (word: string) => Array.from({ length: 2000 }, (_, i) => `${word} ${i}`).join('\n');
    const lines = lineDiff(many('a'), many('b'));
    expect(lines.slice(0, 2000).every((line) => line.kind === 'removed')).toBe(true);
  });
});
