import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { authorizedFetch } from '../../api/session';
import { ErrorCard } from '../common/ErrorCard';

/** The usual place of a picture until it is loaded, so that little moves then. */
const PLACE = { aspectRatio: '9 / 5', height: 'auto', width: '100%', maxWidth: 'min(100%, 900px)' };

interface ChartImageProps {
  messageId: string;
  n: number;
  alt: string;
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

/**
 * A picture that Matplotlib drew, on white. In the dark theme its lightness is turned over: white becomes
 * the page's background, and each hue stays what it is.
 */
export function ChartPicture({ src, alt }: { src: string; alt: string }) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const size = loaded === src ? { maxWidth: '100%' } : PLACE;
  return (
    <Box component="img" src={src} alt={alt} onLoad={() => setLoaded(src)}
      sx={{ ...size, borderRadius: 1, display: 'block', bgcolor: '#fff', 'html.dark &': { filter: 'invert(0.92) hue-rotate(180deg)' } }} />
  );
}

/** A chart made by Python, as an image. */
export function ChartImage({ messageId, n, alt }: ChartImageProps) {
  const image = useQuery({
    queryKey: keys.chart(messageId, n),
    queryFn: () => load(messageId, n),
    staleTime: Infinity,
  });
  const url = useBlobUrl(image.data);
  if (image.error)
    return <ErrorCard title="The chart could not be loaded" error={image.error} onRetry={() => void image.refetch()} />;
  if (!url) return <Skeleton variant="rounded" sx={PLACE} />;
  return <ChartPicture src={url} alt={alt} />;
}
