import { expect, test } from 'vitest';
import { csvOf, kindOfFile, readJson, readParquet, typeOfCells } from './tableFile';

const blob = (text: string) => ({ text: () => Promise.resolve(text) }) as Blob;

test('kinds go by the ending', () => {
  expect(['a.csv', 'A.TSV', 'a.parquet', 'a.json', 'a.b.ndjson'].map((name) => kindOfFile({ name, size: 5 }))).toEqual(['csv', 'csv', 'parquet', 'json', 'json']);
});

test.each([
  ['a.csv', 2 * 1024 ** 3, /"a\.csv" has 2\.0 GB\. The browser can explore CSV files of up to 1\.0 GB/],
  ['a.json', 65 * 1024 ** 2, /up to 64 MB/], ['a.xlsx', 5, /Excel/], ['a.exe', 5, /cannot be read in the browser/], ['csv', 0, /is empty/],
])('%s of %d bytes is refused with a sentence', (name, size, sentence) => {
  expect(() => kindOfFile({ name, size })).toThrow(sentence);
});

test('types are those that fit all cells', () => {
  expect(typeOfCells([1, null, 2])).toBe('BIGINT');
  expect(typeOfCells([1, 2.5])).toBe('DOUBLE');
  expect(typeOfCells([1, 'a'])).toBe('VARCHAR');
  expect(typeOfCells(['2025-01-01', null])).toBe('DATE');
  expect(typeOfCells([true, false])).toBe('BOOLEAN');
  expect(typeOfCells([null])).toBe('VARCHAR');
});

test('texts are quoted, nulls are not', () => {
  expect(csvOf(['a', 'b'], [['x"y,\n', null], ['', 1]])).toEqual({
    columns: [{ name: 'a', type: 'VARCHAR' }, { name: 'b', type: 'BIGINT' }], parts: ['"x""y,\n",\n"","1"\n'],
  });
});

test('JSON is an array of objects, or one object a line', async () => {
  const wanted = { columns: [{ name: 'a', type: 'BIGINT' }, { name: 'b', type: 'VARCHAR' }], parts: ['"1",\n,"{""c"":1}"\n'] };
  expect(await readJson(blob('[{"a":1},{"b":{"c":1}}]'))).toEqual(wanted);
  expect(await readJson(blob('{"a":1}\n\n{"b":{"c":1}}\n'))).toEqual(wanted);
  await expect(readJson(blob('[1, 2]'))).rejects.toThrow(/array of objects/);
  await expect(readJson(blob('{"a":'))).rejects.toThrow(/not valid JSON/);
  await expect(readJson(blob('[]'))).rejects.toThrow(/no rows/);
});

test('what is no Parquet file is said', async () => {
  await expect(readParquet(new Blob(['PAR1 but not'.repeat(10)]))).rejects.toThrow(/not a valid Parquet/);
});
