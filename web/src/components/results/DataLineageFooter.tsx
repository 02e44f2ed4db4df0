import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Collapse from '@mui/material/Collapse';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import type { DataLineage } from '../../api/types';
import { LineageDetails } from './LineageDetails';

export type SomeLineage = Partial<DataLineage> & Pick<DataLineage, 'datasets'>;

function inShort(lineage: SomeLineage): string {
  const { rowCount, truncated, joins = [], grain, datasets } = lineage;
  const parts = [`Data: ${datasets.join(', ') || 'none'}`];
  if (grain) parts.push(`Grain: ${grain}`);
  if (rowCount !== null && rowCount !== undefined)
    parts.push(`Rows: ${rowCount.toLocaleString('en-US')}${truncated ? '+ (cut)' : ''}`);
  parts.push(`${joins.length} ${joins.length === 1 ? 'join' : 'joins'}`);
  return parts.join(' | ');
}

/** The origin of the answer's data: one line, and the details on demand. */
export function DataLineageFooter({ lineage }: { lineage: SomeLineage }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <Box sx={{ mt: 1.5, px: 1.5, py: 0.5, bgcolor: 'action.hover', borderRadius: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Typography variant="caption" color="textSecondary" sx={{ flex: 1, minWidth: 160 }}>
          {inShort(lineage)}
        </Typography>
        <Button size="small" onClick={() => setOpen(!open)} aria-expanded={open} aria-controls={id}>
          Lineage
        </Button>
      </Box>
      <Collapse in={open} id={id} unmountOnExit>
        <LineageDetails lineage={lineage} />
      </Collapse>
    </Box>
  );
}
