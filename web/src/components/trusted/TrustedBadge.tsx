import Star from '@mui/icons-material/Star';
import Chip from '@mui/material/Chip';
import Tooltip from '@mui/material/Tooltip';
import type { TrustedMark } from '../../api/types';

/** Says that the answer was made by a query that a person vouches for. */
export function TrustedBadge({ mark }: { mark: TrustedMark }) {
  const since = mark.at ? new Date(mark.at).toLocaleDateString() : '';
  const text = `Trusted: this query was marked${mark.by ? ` by ${mark.by}` : ''}${since && ` on ${since}`}`;
  return (
    <Tooltip title={text}>
      <Chip size="small" variant="outlined" color="primary" icon={<Star />} label="Trusted" role="img" aria-label={text} tabIndex={0} />
    </Tooltip>
  );
}
