import { useEffect, useReducer, useRef } from 'react';
import { sendFiles } from '../api/upload';
import { applyUploadNews, startUpload, type Parcel } from '../utils/upload';
import { useDatasetsChanged, useDatasetWatch } from './useDatasets';

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Sends the files at once, and follows the dataset until it is ready. `cancel` ends the sending. */
export function useUpload(parcel: Parcel, onCancelled: () => void) {
  const [state, tell] = useReducer(applyUploadNews, parcel.files, startUpload);
  const abort = useRef<AbortController>(null);
  const changed = useDatasetsChanged();
  useEffect(() => {
    const mine = new AbortController();
    abort.current = mine;
    // In a microtask, so that an effect that is undone at once (development) sends nothing.
    void Promise.resolve().then(async () => {
      if (mine.signal.aborted) return;
      const onProgress = (sent: number, total: number) => tell({ kind: 'progress', sent, total });
      try {
        tell({ kind: 'dataset', dataset: await sendFiles(parcel, { signal: mine.signal, onProgress }) });
      } catch (error) {
        if (!isAbort(error)) tell({ kind: 'error', error });
      }
    });
    return () => mine.abort();
  }, [parcel]);

  const id = state.step === 'reading' ? (state.dataset?.id ?? null) : null;
  const watched = useDatasetWatch(id);
  useEffect(() => {
    if (id && watched.data?.id === id) tell({ kind: 'dataset', dataset: watched.data });
  }, [id, watched.data]);
  useEffect(() => {
    if (id && watched.error) tell({ kind: 'error', error: watched.error });
  }, [id, watched.error]);
  useEffect(() => {
    if (state.step !== 'sending') void changed();
    // Once for each step.
  }, [state.step]);
  const cancel = () => {
    abort.current?.abort();
    onCancelled();
  };
  return { state, cancel };
}
