import type { Dataset } from '../api/types';
import { dataset as sample } from '../test/samples';
import { applyUploadNews, formatBytes, nameParcel, startUpload, type UploadNews, type UploadState } from './upload';

const dataset = (status: Dataset['status'], failure: string | null = null): Dataset => sample({ id: 'd', status, failure });
const after = (...news: UploadNews[]): UploadState => news.reduce(applyUploadNews, startUpload([{ size: 60 }, { size: 40 }]));

describe('an upload', () => {
  it('starts with the bytes of all files to send', () => {
    expect(after()).toEqual({ step: 'sending', sent: 0, total: 100 });
  });

  it('never goes back, and is read when all was sent', () => {
    expect(after({ kind: 'progress', sent: 70, total: 120 }, { kind: 'progress', sent: 30, total: 120 })).toEqual({ step: 'sending', sent: 70, total: 120 });
    const sent = after({ kind: 'progress', sent: 120, total: 120 });
    expect(sent.step).toBe('reading');
    expect(applyUploadNews(sent, { kind: 'progress', sent: 90, total: 120 })).toBe(sent);
  });

  it('waits until the dataset is ready', () => {
    expect(after({ kind: 'dataset', dataset: dataset('preparing') })).toMatchObject({ step: 'reading', dataset: { id: 'd' } });
    expect(after({ kind: 'dataset', dataset: dataset('preparing') }, { kind: 'dataset', dataset: dataset('ready') }).step).toBe('ready');
  });

  it('keeps what the first answer says of files that were left out', () => {
    const problems = [{ filename: 'b.csv', message: 'has a header only' }];
    expect(after({ kind: 'dataset', dataset: { ...dataset('preparing'), problems } }, { kind: 'dataset', dataset: dataset('ready') })).toMatchObject({ dataset: { problems } });
  });

  it('fails with the reason of the server, and stays failed', () => {
    const failed = after({ kind: 'dataset', dataset: dataset('failed', 'orders.csv has a header only') });
    expect(failed).toMatchObject({ step: 'failed', error: { message: 'orders.csv has a header only' } });
    expect(applyUploadNews(failed, { kind: 'dataset', dataset: dataset('ready') })).toBe(failed);
    const error = new Error('too large');
    expect(after({ kind: 'error', error })).toMatchObject({ step: 'failed', error });
  });

  it.each([[0, '0 B'], [999, '999 B'], [1000, '1.00 kB'], [12_345, '12.3 kB'], [999_600, '1.00 MB'], [250_000_000, '250 MB'], [-1, '0 B']])(
    'writes %i bytes as %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words));

  it('names one file, or the first of many', () => {
    expect(nameParcel({ files: [{ name: 'a.csv' }] })).toBe('a.csv');
    expect(nameParcel({ files: [{ name: 'a.csv' }, { name: 'b.csv' }] })).toBe('a.csv and 1 more file');
    expect(nameParcel({ files: [{ name: 'a.csv' }, { name: 'b' }, { name: 'c' }] })).toBe('a.csv and 2 more files');
    expect(nameParcel({ files: [{ name: 'a.csv' }], name: 'Orders' })).toBe('Orders');
  });
});
