import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../api/errors';
import { useUploads } from '../components/files/FileDrop';
import { sampleFiles } from '../utils/sampleFiles';

/** Uploads the sample files. `onChoose` is called before, for example to close a dialog. */
export function useSamples(onChoose?: () => void) {
  const uploads = useUploads();
  const { enqueueSnackbar } = useSnackbar();
  const [fetching, setFetching] = useState(false);
  const start = () => {
    setFetching(true);
    sampleFiles()
      .then((parcel) => {
        onChoose?.();
        uploads?.upload(parcel);
      })
      .catch((error: unknown) => void enqueueSnackbar(messageOf(error), { variant: 'error' }))
      .finally(() => setFetching(false));
  };
  return { fetching, start };
}
