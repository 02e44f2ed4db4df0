import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { ModelMetric } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { FormDialog } from '../common/FormDialog';
import { wordsOf } from './InlineText';
import { Preview } from './Preview';

interface MetricDialogProps {
  modelId: string;
  editor: ModelEditor;
  /** Null: a new one. */
  metric: ModelMetric | null;
  onClose: () => void;
}

/** A metric and its value as it is now. */
export default function MetricDialog({ modelId, editor, metric, onClose }: MetricDialogProps) {
  const [name, setName] = useState(metric?.name ?? '');
  const [label, setLabel] = useState(metric?.label ?? '');
  const [expression, setExpression] = useState(metric?.expression ?? '');
  const [description, setDescription] = useState(metric?.description ?? '');
  const [synonyms, setSynonyms] = useState(metric?.synonyms.join(', ') ?? '');
  const save = () => {
    const values = { name, label: label || null, expression, description: description || null, synonyms: wordsOf(synonyms) };
    return editor.edit(metric ? { op: 'set', kind: 'metric', name: metric.name, values } : { op: 'add', kind: 'metric', values });
  };
  return (
    <FormDialog title={metric ? `Metric ${metric.label ?? metric.name}` : 'A new metric'} onClose={onClose} onSave={save}>
      <TextField label="Name" required autoFocus={!metric} value={name} onChange={(e) => setName(e.target.value)} />
      <TextField label="Label" helperText="What people read in place of the name" value={label} onChange={(e) => setLabel(e.target.value)} />
      <TextField label="Expression" required multiline autoFocus={Boolean(metric)} value={expression}
        onChange={(e) => setExpression(e.target.value)} helperText="SQL with an aggregate, such as sum(orders.total)"
        slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }} />
      <Preview modelId={modelId} expression={expression} />
      <TextField label="Description" multiline value={description} onChange={(e) => setDescription(e.target.value)} />
      <TextField label="Synonyms" helperText="Other words for it, separated by commas" value={synonyms} onChange={(e) => setSynonyms(e.target.value)} />
    </FormDialog>
  );
}
