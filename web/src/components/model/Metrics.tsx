import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/Delete';
import Edit from '@mui/icons-material/Edit';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ModelMetric } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { newId, removeId, useRemovePart } from './useRemovePart';
import MetricDialog from './MetricDialog';

interface MetricsProps {
  modelId: string;
  metrics: ModelMetric[];
  editor?: ModelEditor;
}

/** What a metric is, in words and as SQL. */
export function MetricFacts({ metric }: { metric: ModelMetric }) {
  return (
    <Box sx={{ minWidth: 0, flex: 1 }}>
      <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {metric.label ?? metric.name} {metric.hidden && <Chip size="small" label="refers to something hidden" />}
      </Typography>
      {metric.description && <Typography variant="body2">{metric.description}</Typography>}
      <Typography variant="body2" component="code" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere', display: 'block' }}>{metric.expression}</Typography>
      {metric.synonyms.length > 0 && <Typography variant="caption" color="textSecondary">Also: {metric.synonyms.join(', ')}</Typography>}
    </Box>
  );
}

/** The metrics of a model. */
export function Metrics({ modelId, metrics, editor }: MetricsProps) {
  const [shown, setShown] = useState<ModelMetric | 'new' | null>(null);
  const remove = useRemovePart(editor, 'metric', metrics);
  return (
    <Stack spacing={1}>
      {editor && <Box><Button id={newId('metric')} startIcon={<Add />} variant="outlined" onClick={() => setShown('new')}>New metric</Button></Box>}
      {metrics.length === 0 && <Typography color="textSecondary">This model has no metrics.</Typography>}
      {metrics.map((metric) => (
        <Paper key={metric.name} variant="outlined" sx={{ p: 1.5, display: 'flex', gap: 1, alignItems: 'flex-start' }}>
          <MetricFacts metric={metric} />
          {editor && (
            <Box sx={{ display: 'flex', flexShrink: 0 }}>
              <IconButton aria-label={`Edit ${metric.name}`} onClick={() => setShown(metric)}><Edit fontSize="small" /></IconButton>
              <IconButton id={removeId('metric', metric.name)} aria-label={`Remove ${metric.name}`} onClick={() => void remove(metric.name)}><Delete fontSize="small" /></IconButton>
            </Box>
          )}
        </Paper>
      ))}
      {shown && editor && (
        <MetricDialog modelId={modelId} editor={editor} metric={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </Stack>
  );
}
