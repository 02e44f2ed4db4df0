/** Splits a growing Markdown text into blocks that no longer change: at empty lines, never within a fence. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && mark.startsWith(fence)) fence = '';
    // Indented text may belong to a list before it.
    if (lines.length > 0 && lines.at(-1) === '' && !fence && /^\S/.test(line) && !/^([-*+]|\d+[.)]) /.test(line)) {
      blocks.push(lines.join('\n'));
      lines = [];
    }
    lines.push(line);
  }
  return lines.length > 0 ? [...blocks, lines.join('\n')] : blocks;
}
