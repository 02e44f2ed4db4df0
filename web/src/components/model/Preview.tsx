import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { reasonOf } from '../../api/errors';
import type { MetricPreview } from '../../api/types';
import { useMetricPreview } from '../../hooks/useModel';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';

/** The database's text with separators; texts and dates stay as they are. */
export function valueText({ value, type }: Pick<MetricPreview, 'value' | 'type'>): string {
  if (value === null || value === undefined) return 'no value (NULL)';
  const number = /^-?\d+(\.\d+)?$/.test(value) && !/text|char|date|time/.test(type ?? '');
  if (!number) return value;
  const [whole, fraction] = value.split('.');
  return whole!.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction ? `.${fraction}` : '');
}

function Found({ preview }: { preview: MetricPreview }) {
  if (preview.problem !== undefined) return <Alert severity="warning">{preview.problem}</Alert>;
  return (
    <>
      <Typography variant="h6" component="p" sx={{ overflowWrap: 'anywhere' }}>{valueText(preview)}</Typography>
      <Typography variant="caption" color="textSecondary">{preview.type} · {preview.elapsedMs} ms</Typography>
      {preview.warnings?.map((warning) => <Alert key={warning} severity="warning" sx={{ mt: 1 }}>{warning}</Alert>)}
    </>
  );
}

/** The value that a metric has now, computed while its expression is written. */
export function Preview({ modelId, expression }: { modelId: string; expression: string }) {
  const { data, error, waiting } = useMetricPreview(modelId, expression);
  if (expression.trim() === '') return null;
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 1.5, minHeight: 92 }} role="status" aria-label="Value now">
      <Typography variant="body2" color="textSecondary">Value now{waiting ? ': computing…' : ''}</Typography>
      {!waiting && Boolean(error) && <Alert severity="error">{reasonOf(error)}</Alert>}
      {!waiting && !error && data && <Found preview={data} />}
      {!waiting && data?.sql && <Fold level={3} title="Query"><CodeBlock code={data.sql} language="sql" maxHeight={180} /></Fold>}
    </Box>
  );
}
