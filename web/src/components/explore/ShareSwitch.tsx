import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { SHARES, type Share } from '../../utils/disclosure';

const NAMES: Record<Share, string> = { none: 'Nothing', aggregates: 'Aggregates', rows: 'Rows' };
const SAID: Record<Share, string> = {
  none: 'Only names and types of columns, and numbers of rows, leave this browser.',
  aggregates: 'Counts, and sums and averages of at least five values, leave this browser. Values of cells never do: names in results become "city #1", which this page translates back for you.',
  rows: 'The results of queries, up to 1,000 rows each, and the first five rows of the file leave this browser.',
};

interface ShareSwitchProps {
  share: Share;
  onShare: (share: Share) => void;
  disabled: boolean;
}

/** What the language model may see. */
export function ShareSwitch({ share, onShare, disabled }: ShareSwitchProps) {
  return (
    <FormControl>
      <FormLabel id="share-label">Share with the language model</FormLabel>
      <RadioGroup row aria-labelledby="share-label" aria-describedby="share-help" value={share} onChange={(_e, next) => onShare(next as Share)}>
        {SHARES.map((one) => <FormControlLabel key={one} value={one} disabled={disabled} control={<Radio size="small" />} label={NAMES[one]} />)}
      </RadioGroup>
      <FormHelperText id="share-help" sx={{ m: 0, color: 'text.secondary' }}>{SAID[share]} Names of columns and your questions are always sent.</FormHelperText>
    </FormControl>
  );
}
