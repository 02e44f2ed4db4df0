import Box from '@mui/material/Box';
import { Fragment } from 'react';
import { splitFound } from '../../utils/splitFound';

/** Two lines of a message, with the words that were searched for in bold. */
export function Found({ text, search }: { text: string; search: string }) {
  return (
    <Box component="span" sx={{
      display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden', overflowWrap: 'anywhere', lineHeight: 1.35,
      '& mark': { bgcolor: 'transparent', color: 'text.primary', fontWeight: 700 },
    }}>
      {splitFound(text, search).map(({ part, found }, i) => (found ? <mark key={i}>{part}</mark> : <Fragment key={i}>{part}</Fragment>))}
    </Box>
  );
}
