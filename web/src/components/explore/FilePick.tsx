import LockOutlined from '@mui/icons-material/LockOutlined';
import UploadFile from '@mui/icons-material/UploadFile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { useDrop } from '../files/FileDrop';
import { ACCEPT } from '../../utils/tableFile';

interface FilePickProps {
  /** The name of the file that is being loaded. */
  loading: string | null;
  error: string | null;
  onFile: (file: File) => void;
  onSample: () => void;
  onError: (message: string) => void;
}

/** Where a file is chosen. It is read by this browser only. */
export function FilePick({ loading, error, onFile, onSample, onError }: FilePickProps) {
  const picker = useRef<HTMLInputElement>(null);
  const take = (files: File[]) => {
    if (files.length === 1) onFile(files[0]!);
    else onError(files.length === 0 ? 'There was no file in it.' : 'The explorer reads one file at a time.');
  };
  const over = useDrop(take, () => onError('The dropped file could not be read.'));
  return (
    <>
      <Paper variant="outlined" component="section" aria-label="Choose a file" sx={{
        display: 'grid', placeItems: 'center', gap: 1.5, p: { xs: 2, sm: 5 }, textAlign: 'center',
        borderStyle: 'dashed', borderWidth: 2, borderColor: over ? 'primary.main' : 'divider', bgcolor: over ? 'action.hover' : undefined,
      }}>
        <UploadFile sx={{ fontSize: 56, color: 'primary.main' }} />
        <Typography variant="h6" component="h2">{over ? 'Drop the file' : 'Drop a file to explore it in this browser'}</Typography>
        <Typography color="textSecondary">CSV or TSV up to 1 GB, Parquet up to 128 MB, JSON up to 64 MB. Excel files and several files at once are for the Data page.</Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'center' }}>
          <Button variant="contained" onClick={() => picker.current?.click()} disabled={loading !== null}>Choose a file</Button>
          <Button onClick={onSample} disabled={loading !== null}>Try a sample file</Button>
        </Box>
        <input ref={picker} type="file" hidden accept={ACCEPT} aria-label="File to explore"
          onChange={({ target }) => {
            const chosen = [...(target.files ?? [])];
            target.value = '';
            if (chosen.length > 0) take(chosen);
          }} />
        {loading !== null && (
          <Box sx={{ width: '100%', maxWidth: 400 }} role="status">
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>Reading {loading} …</Typography>
            <LinearProgress aria-label={`Reading ${loading}`} />
          </Box>
        )}
      </Paper>
      {error && <Alert severity="error" variant="outlined">{error}</Alert>}
      <Alert severity="info" icon={<LockOutlined />} variant="outlined">
        The file stays in this browser: it is not uploaded, and nothing of the exploration is stored. You
        choose what the language model may see of it, and this page enforces your choice before it sends anything.
      </Alert>
    </>
  );
}
