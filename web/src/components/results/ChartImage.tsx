import Close from '@mui/icons-material/Close';
import Download from '@mui/icons-material/Download';
import Fullscreen from '@mui/icons-material/Fullscreen';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { authorizedFetch } from '../../api/session';
import type { DataChatMessage } from '../../api/types';
import { fileNameOf } from '../../utils/fileNames';
import { saveUrl } from '../../utils/save';
import { ErrorCard } from '../common/ErrorCard';
import { useAnswer } from './answerContext';

type ChartInfo = NonNullable<DataChatMessage['charts']>[number];

/** Of every picture, whatever its shape: that is known only when it is loaded, and nothing may move then. */
const FRAME = { aspectRatio: '9 / 5', width: '100%', maxWidth: 900 };
/** Of the row of buttons below it. */
const ACTIONS = 34;
/** In the dark theme the lightness is turned over: white becomes the page's background, and each hue stays what it is. */
const PAPER = { bgcolor: '#fff', 'html.dark &': { filter: 'invert(0.92) hue-rotate(180deg)' } };

interface ChartImageProps {
  messageId: string;
  n: number;
  alt: string;
  mediaType: ChartInfo['mediaType'];
}

async function load(messageId: string, n: number): Promise<Blob> {
  const response = await authorizedFetch(`/api/data-agent/messages/${messageId}/charts/${n}`);
  if (!response.ok) throw await errorOf(response);
  return response.blob();
}

function useBlobUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

type ChartPictureProps = Pick<ChartImageProps, 'alt' | 'mediaType'> & { src: string };

/** A picture that Matplotlib drew, on white: small enough for its frame, or in full. */
export function ChartPicture({ src, alt, mediaType }: ChartPictureProps) {
  const { question } = useAnswer();
  const [full, setFull] = useState(false);
  const close = () => setFull(false);
  const kind = mediaType === 'image/png' ? 'png' : 'jpg';
  return (
    <Box>
      <Box component="img" src={src} alt={alt} onClick={() => setFull(true)}
        sx={{ ...FRAME, ...PAPER, display: 'block', borderRadius: 1, objectFit: 'scale-down', cursor: 'zoom-in' }} />
      <Box sx={{ maxWidth: FRAME.maxWidth, height: ACTIONS, display: 'flex', alignItems: 'center', justifyContent: 'end' }}>
        <Button size="small" startIcon={<Download />} onClick={() => saveUrl(src, fileNameOf(question || alt, 'chart', kind))}>{kind.toUpperCase()}</Button>
        <Tooltip title="Full screen">
          <IconButton size="small" aria-label={`Full screen: ${alt}`} aria-haspopup="dialog" onClick={() => setFull(true)}><Fullscreen /></IconButton>
        </Tooltip>
      </Box>
      <Dialog open={full} fullScreen onClose={close} slotProps={{ paper: { 'aria-label': alt } }}>
        <IconButton aria-label="Close" autoFocus onClick={close} sx={{ alignSelf: 'end', m: 0.5 }}><Close /></IconButton>
        <Box tabIndex={0} role="group" aria-label={alt} sx={{ flex: 1, minHeight: 0, overflow: 'auto', p: 2, pt: 0 }}>
          <Box component="img" src={src} alt={alt} sx={{ ...PAPER, display: 'block', mx: 'auto' }} />
        </Box>
      </Dialog>
    </Box>
  );
}

/** A chart made by Python, as an image. */
export function ChartImage({ messageId, n, alt, mediaType }: ChartImageProps) {
  const image = useQuery({
    queryKey: keys.chart(messageId, n),
    queryFn: () => load(messageId, n),
    staleTime: Infinity,
  });
  const url = useBlobUrl(image.data);
  if (image.error)
    return <ErrorCard title="The chart could not be loaded" error={image.error} onRetry={() => void image.refetch()} />;
  if (!url)
    return <Box sx={{ pb: `${ACTIONS}px` }}><Skeleton variant="rounded" height="auto" sx={FRAME} /></Box>;
  return <ChartPicture src={url} alt={alt} mediaType={mediaType} />;
}
