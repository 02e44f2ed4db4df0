/** The files of a drop. A folder stands for the files directly in it. */

/** More files than any server takes: enough for its refusal to be true, and few enough to be fast. */
const MOST = 100;

type Item = Pick<DataTransferItem, 'kind' | 'getAsFile'> & Partial<Pick<DataTransferItem, 'webkitGetAsEntry'>>;

function readSome(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const found: File[] = [];
  // It gives some entries at a time, and none at the end.
  for (let some = await readSome(reader); some.length > 0 && found.length < MOST; some = await readSome(reader))
    for (const entry of some)
      if (entry.isFile && !entry.name.startsWith('.') && found.length < MOST)
        found.push(await fileOf(entry as FileSystemFileEntry));
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** The drop's items are gone after its event, so all are looked at before the first wait. */
export async function droppedFiles(items: Iterable<Item>): Promise<File[]> {
  const taken = [...items].filter(({ kind }) => kind === 'file').map((item) => {
    const entry = item.webkitGetAsEntry?.();
    return entry?.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : item.getAsFile();
  });
  const files = await Promise.all(taken);
  return files.flat().filter((file) => file !== null).slice(0, MOST);
}
