/** The sample files that come with the page. */
import type { Parcel } from './upload';

const NAMES = ['stations.csv', 'rentals.csv'];

async function fetchFile(name: string): Promise<File> {
  const response = await fetch(`/app/samples/${name}`);
  // A missing file is answered with the page.
  if (!response.ok || response.headers.get('content-type')?.startsWith('text/html'))
    throw new Error('The sample files are not installed.');
  return new File([await response.blob()], name, { type: 'text/csv' });
}

export async function sampleFiles(): Promise<Parcel> {
  return { files: await Promise.all(NAMES.map(fetchFile)), name: 'Bicycle rentals' };
}
