import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A page with one message in its middle. */
export function Alone({ children }: { children: ReactNode }) {
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', alignContent: 'center', gap: 2, height: '100%', p: 2, gridTemplateColumns: 'minmax(0, 560px)', justifyContent: 'center' }}>
      <Typography variant="h5" component="h1" color="primary">Sextant</Typography>
      <Box sx={{ width: '100%' }}>{children}</Box>
    </Box>
  );
}
