import Science from '@mui/icons-material/ScienceOutlined';
import UploadFile from '@mui/icons-material/UploadFile';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import { sampleFiles } from '../../utils/sampleFiles';
import { useUploads } from './FileDrop';

interface UploadButtonsProps {
  /** Also offers files to try. */
  samples?: boolean;
  /** Called before files are chosen, for example to close a dialog. */
  onChoose?: () => void;
}

/** "Upload files", and "Try the sample files"; nothing for those who may not upload. */
export function UploadButtons({ samples = false, onChoose }: UploadButtonsProps) {
  const uploads = useUploads();
  const { enqueueSnackbar } = useSnackbar();
  const [fetching, setFetching] = useState(false);
  if (!uploads) return null;
  const choose = () => {
    onChoose?.();
    uploads.choose();
  };
  const trySamples = () => {
    setFetching(true);
    sampleFiles()
      .then((parcel) => {
        onChoose?.();
        uploads.upload(parcel);
      })
      .catch((error: unknown) => void enqueueSnackbar(messageOf(error), { variant: 'error' }))
      .finally(() => setFetching(false));
  };
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <Button variant="outlined" startIcon={<UploadFile />} onClick={choose}>Upload files</Button>
      {samples && <Button startIcon={<Science />} loading={fetching} loadingPosition="start" onClick={trySamples}>Try the sample files</Button>}
    </Stack>
  );
}
