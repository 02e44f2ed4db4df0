import { droppedFiles } from './droppedFiles';

const file = (name: string) => new File(['x'], name);

function folder(names: string[], atOnce = 2) {
  const entries = names.map((name) => ({ name, isFile: !name.endsWith('/'), isDirectory: name.endsWith('/'), file: (ok: (f: File) => void) => ok(file(name)) }));
  const createReader = () => {
    let at = 0;
    return { readEntries: (ok: (some: unknown[]) => void) => ok(entries.slice(at, (at += atOnce))) };
  };
  return { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => ({ isDirectory: true, createReader }) as unknown as FileSystemEntry };
}

const one = (name: string) => ({ kind: 'file', getAsFile: () => file(name) });

describe('dropped files', () => {
  it('are those of the drop, without texts', async () => {
    const found = await droppedFiles([one('a.csv'), { kind: 'string', getAsFile: () => null }, one('b.csv')]);
    expect(found.map(({ name }) => name)).toEqual(['a.csv', 'b.csv']);
  });

  it('include those directly in a folder, in order, without hidden ones', async () => {
    const found = await droppedFiles([folder(['z.csv', '.DS_Store', 'inner/', 'b.csv', 'a.csv'])]);
    expect(found.map(({ name }) => name)).toEqual(['a.csv', 'b.csv', 'z.csv']);
  });

  it('are at most a hundred', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `${i}.csv`);
    expect(await droppedFiles([folder(many, 100)])).toHaveLength(100);
    expect(await droppedFiles(many.map(one))).toHaveLength(100);
  });
});
