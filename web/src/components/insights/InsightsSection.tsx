import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Fold } from '../common/Fold';

export function InsightsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Fold level={3} open title={<Typography variant="subtitle2" component="span">{title}</Typography>}>
      {children}
    </Fold>
  );
}
