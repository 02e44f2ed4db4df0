import Science from '@mui/icons-material/ScienceOutlined';
import UploadFile from '@mui/icons-material/UploadFile';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useSamples } from '../../hooks/useSamples';
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
  const samplesOf = useSamples(onChoose);
  if (!uploads) return null;
  const choose = () => {
    onChoose?.();
    uploads.choose();
  };
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <Button variant="outlined" startIcon={<UploadFile />} onClick={choose}>Upload files</Button>
      {samples && <Button startIcon={<Science />} loading={samplesOf.fetching} loadingPosition="start" onClick={samplesOf.start}>Try the sample files</Button>}
    </Stack>
  );
}
