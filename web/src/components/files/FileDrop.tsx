import UploadFile from '@mui/icons-material/UploadFile';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { createContext, lazy, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../api/errors';
import { useMay } from '../../hooks/useSession';
import { droppedFiles } from '../../utils/droppedFiles';
import type { Parcel } from '../../utils/upload';
import { LazyPart } from '../common/LazyPart';

const UploadDialog = lazy(() => import('./UploadDialog'));

/** What the server can read; the picker offers these. */
const ACCEPT = '.csv,.tsv,.txt,.parquet,.jsonl,.ndjson,.json,.xlsx';

interface Uploads {
  /** Lets the user choose files, and uploads them. */
  choose: () => void;
  upload: (parcel: Parcel) => void;
}

const UploadsContext = createContext<Uploads | null>(null);

/** Null if the user may not upload. */
export function useUploads(): Uploads | null {
  return useContext(UploadsContext);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Whether files are dragged over the page, and what is dropped. Without it, a browser would open a dropped file. */
export function useDrop(onFiles: (files: File[]) => void, onError: (error: unknown) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef({ onFiles, onError });
  take.current = { onFiles, onError };
  useEffect(() => {
    // Elements inside the page send enter and leave, too.
    let depth = 0;
    const entered = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const left = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const moved = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = 'copy';
    };
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      droppedFiles(event.dataTransfer!.items).then((files) => take.current.onFiles(files), (error: unknown) => take.current.onError(error));
    };
    const ears = [['dragenter', entered], ['dragleave', left], ['dragover', moved], ['drop', dropped]] as const;
    ears.forEach(([name, ear]) => addEventListener(name, ear));
    return () => ears.forEach(([name, ear]) => removeEventListener(name, ear));
  }, []);
  return over;
}

function Overlay() {
  return (
    <Box aria-hidden sx={{
      position: 'fixed', inset: 0, zIndex: 'tooltip', pointerEvents: 'none', display: 'grid', placeItems: 'center', p: 3,
      bgcolor: 'background.default', opacity: 0.94,
    }}>
      <Box sx={{ display: 'grid', placeItems: 'center', alignContent: 'center', gap: 1, width: '100%', height: '100%', border: 3, borderStyle: 'dashed', borderColor: 'primary.main', borderRadius: 3, textAlign: 'center' }}>
        <UploadFile sx={{ fontSize: 64, color: 'primary.main' }} />
        <Typography variant="h5" component="p">Drop files to ask about them</Typography>
        <Typography color="textSecondary">CSV, TSV, Parquet, JSON lines or Excel. Drop files that belong together at the same time.</Typography>
      </Box>
    </Box>
  );
}

function Drop({ children }: { children: ReactNode }) {
  const [parcel, setParcel] = useState<Parcel | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { enqueueSnackbar } = useSnackbar();
  const complain = (error: unknown) => void enqueueSnackbar(messageOf(error), { variant: 'error' });
  const busy = useRef(false);
  busy.current = parcel !== null;
  const upload = (chosen: Parcel) => {
    if (busy.current) complain(new Error('Another upload is open. Finish or cancel it first.'));
    else if (chosen.files.length === 0) complain(new Error('There was no file in it.'));
    else setParcel(chosen);
  };
  const over = useDrop((files) => upload({ files }), complain);
  const uploads = useMemo(() => ({ choose: () => picker.current?.click(), upload }), []);
  return (
    <UploadsContext value={uploads}>
      {children}
      <input ref={picker} type="file" multiple hidden accept={ACCEPT} aria-label="Files to upload"
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          target.value = ''; // the same files may be chosen again
          if (chosen.length > 0) upload({ files: chosen });
        }} />
      {over && <Overlay />}
      {parcel && <LazyPart onClose={() => setParcel(null)}><UploadDialog parcel={parcel} onClose={() => setParcel(null)} /></LazyPart>}
    </UploadsContext>
  );
}

/** Makes the whole page a place to drop files, for those who may upload. */
export function FileDrop({ children }: { children: ReactNode }) {
  const may = useMay('connections:write');
  return may ? <Drop>{children}</Drop> : children;
}
