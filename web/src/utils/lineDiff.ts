/** The difference of two texts, by lines. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
}

/** More different lines are not compared: those of the old text come before those of the new one. */
const COMPARED_MOST = 1500;
const AROUND = 3;

/** The lengths of the longest common parts of the rests of both lists. */
function lengths(a: string[], b: string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let k = b.length - 1; k >= 0; k--)
      table[i]![k] = a[i] === b[k] ? table[i + 1]![k + 1]! + 1 : Math.max(table[i + 1]![k]!, table[i]![k + 1]!);
  return table;
}

function compare(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length > COMPARED_MOST || b.length > COMPARED_MOST) return [...a.map(removed), ...b.map(added)];
  const table = lengths(a, b);
  const lines: DiffLine[] = [];
  let [i, k] = [0, 0];
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) {
      lines.push({ kind: 'same', text: a[i]! });
      i++;
      k++;
    } else if (k >= b.length || (i < a.length && table[i + 1]![k]! >= table[i]![k + 1]!)) lines.push(removed(a[i++]!));
    else lines.push(added(b[k++]!));
  }
  return lines;
}

/** Leaves out lines that are far from any difference. */
function fold(lines: DiffLine[]): DiffLine[] {
  const near = (i: number) => lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((line) => line.kind !== 'same');
  const kept: DiffLine[] = [];
  lines.forEach((line, i) => {
    if (near(i)) kept.push(line);
    else if (kept.at(-1)?.kind !== 'gap') kept.push({ kind: 'gap', text: '' });
  });
  return kept;
}

/** The changed lines with some around them; empty if the texts are the same. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (texts: string[]) => texts.map((text): DiffLine => ({ kind: 'same', text }));
  const lines = [
    ...same(a.slice(0, start)),
    ...compare(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
  return fold(lines).filter((_line, _i, all) => all.some((line) => line.kind === 'added' || line.kind === 'removed'));
}
