/** The state of an upload, from choosing files to a dataset that can be asked about. */
import type { Dataset, FileProblem } from '../api/types';

/** Only the answer to the upload has the problems. */
type Uploaded = Dataset & { problems?: FileProblem[] };

/** What is uploaded together. */
export interface Parcel {
  files: File[];
  /** Of the dataset; absent: that of the first file. */
  name?: string;
}

export type UploadState =
  | { step: 'sending'; sent: number; total: number }
  /** The server has all bytes, and reads them or makes the model. */
  | { step: 'reading'; dataset: Uploaded | null }
  | { step: 'ready'; dataset: Uploaded }
  | { step: 'failed'; error: unknown; dataset: Uploaded | null };

export type UploadNews =
  | { kind: 'progress'; sent: number; total: number }
  | { kind: 'dataset'; dataset: Uploaded }
  | { kind: 'error'; error: unknown };

export function startUpload(files: { size: number }[]): UploadState {
  return { step: 'sending', sent: 0, total: files.reduce((sum, { size }) => sum + size, 0) };
}

/** Once it has ended, nothing changes it. Late news of progress do not take it back. */
export function applyUploadNews(state: UploadState, news: UploadNews): UploadState {
  if (state.step === 'ready' || state.step === 'failed') return state;
  const known = state.step === 'reading' ? state.dataset : null;
  switch (news.kind) {
    case 'progress':
      if (state.step === 'reading') return state;
      return news.sent >= news.total && news.total > 0
        ? { step: 'reading', dataset: null }
        : { step: 'sending', sent: Math.max(state.sent, news.sent), total: news.total };
    case 'dataset': {
      const problems = news.dataset.problems ?? known?.problems;
      if (news.dataset.status === 'ready') return { step: 'ready', dataset: { ...news.dataset, problems } };
      if (news.dataset.status === 'failed')
        return { step: 'failed', error: new Error(news.dataset.failure || 'The files could not be read.'), dataset: news.dataset };
      return { step: 'reading', dataset: { ...news.dataset, problems } };
    }
    case 'error':
      return { step: 'failed', error: news.error, dataset: known };
  }
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes in powers of 1000, with three digits. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [Math.max(0, bytes), 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit === 0 || value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** The dataset's own name, "orders.csv", or "orders.csv and 2 more files". */
export function nameParcel({ files, name }: { files: { name: string }[]; name?: string }): string {
  if (name) return name;
  const more = files.length - 1;
  const first = files[0]?.name ?? 'no file';
  return more > 0 ? `${first} and ${more} more ${more === 1 ? 'file' : 'files'}` : first;
}
