import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { SomeLineage } from './DataLineageFooter';

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 1, py: 0.25, alignItems: 'baseline' }}>
      <Typography variant="caption" color="textSecondary" sx={{ width: 80, flex: 'none' }}>
        {name}
      </Typography>
      <Box sx={{ minWidth: 0, fontSize: 14, overflowWrap: 'anywhere' }}>{children}</Box>
    </Box>
  );
}

export function LineageDetails({ lineage }: { lineage: SomeLineage }) {
  const { datasets, joins = [], filters = [], timeWindow, grain, rowCount, truncated } = lineage;
  return (
    <Box sx={{ py: 0.5 }}>
      <Row name="Datasets">
        <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap' }}>
          {datasets.map((name) => (
            <Chip key={name} label={name} size="small" variant="outlined" />
          ))}
        </Box>
      </Row>
      {joins.length > 0 && (
        <Row name="Joins">
          {joins.map((join, i) => (
            <div key={i}>
              {join.from} → {join.to}
              {join.on && <> on <code>{join.on}</code></>}
            </div>
          ))}
        </Row>
      )}
      {timeWindow && <Row name="Time">{timeWindow}</Row>}
      {filters.length > 0 && <Row name="Filters">{filters.join('; ')}</Row>}
      {grain && <Row name="Grain">{grain}</Row>}
      {rowCount !== null && rowCount !== undefined && (
        <Row name="Rows">
          {rowCount.toLocaleString('en-US')}
          {truncated && ' and more: the result was cut'}
        </Row>
      )}
    </Box>
  );
}
