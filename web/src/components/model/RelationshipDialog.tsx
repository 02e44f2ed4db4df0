import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import type { ModelDataset, ModelRelationship } from '../../api/types';
import type { Ends, ModelEditor } from '../../hooks/useModel';
import { Evidence } from './Evidence';
import { FormDialog } from '../common/FormDialog';

interface RelationshipDialogProps {
  modelId: string;
  datasets: ModelDataset[];
  editor: ModelEditor;
  /** Null: a new one. */
  relationship: ModelRelationship | null;
  onClose: () => void;
}

/** The columns of a dataset; those that the relationship has already, too. */
function columnsOf(dataset: ModelDataset | undefined, also: string[]): string[] {
  const own = dataset?.fields.flatMap((field) => field.column ?? []) ?? [];
  return [...new Set([...own, ...(dataset?.primaryKey ?? []), ...also])];
}

function Choice({ label, value, options, onChange }: { label: string; value: string; options: string[]; onChange: (value: string) => void }) {
  return (
    <TextField select required fullWidth label={label} value={options.includes(value) ? value : ''} onChange={(e) => onChange(e.target.value)}>
      {options.map((option) => <MenuItem key={option} value={option}>{option}</MenuItem>)}
    </TextField>
  );
}

/** A relationship: columns of the many side that refer to columns of the one side, and what the data says. */
export default function RelationshipDialog({ modelId, datasets, editor, relationship, onClose }: RelationshipDialogProps) {
  const [name, setName] = useState(relationship?.name ?? '');
  const [from, setFrom] = useState(relationship?.from ?? '');
  const [to, setTo] = useState(relationship?.to ?? '');
  const [pairs, setPairs] = useState<[string, string][]>(
    relationship?.fromColumns.map((column, i) => [column, relationship.toColumns[i] ?? '']) ?? [['', '']]);
  const names = datasets.filter((d) => !d.hidden || d.name === from || d.name === to).map((d) => d.name);
  const many = columnsOf(datasets.find((d) => d.name === from), pairs.map(([a]) => a).filter(Boolean));
  const one = columnsOf(datasets.find((d) => d.name === to), pairs.map(([, b]) => b).filter(Boolean));
  const ends = useMemo((): Ends | null => {
    const complete = from && to && pairs.every(([a, b]) => a && b);
    return complete ? { from, to, fromColumns: pairs.map(([a]) => a), toColumns: pairs.map(([, b]) => b) } : null;
  }, [from, to, pairs]);
  const put = (i: number, side: 0 | 1, column: string) =>
    setPairs((now) => now.map((pair, k): [string, string] => (k !== i ? pair : side === 0 ? [column, pair[1]] : [pair[0], column])));
  const save = () => {
    const values = { name: name || `${from}_to_${to}`, ...(ends ?? { from, to, fromColumns: [], toColumns: [] }) };
    return editor.edit(relationship
      ? { op: 'set', kind: 'relationship', name: relationship.name, values }
      : { op: 'add', kind: 'relationship', values });
  };
  const clear = (side: 0 | 1) => setPairs((now) => now.map(([a, b]): [string, string] => (side === 0 ? ['', b] : [a, ''])));
  return (
    <FormDialog title={relationship ? `Relationship ${relationship.name}` : 'A new relationship'} onClose={onClose} onSave={save}>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
        <Choice label="Many side" value={from} options={names} onChange={(next) => { setFrom(next); clear(0); }} />
        <Choice label="One side" value={to} options={names} onChange={(next) => { setTo(next); clear(1); }} />
      </Stack>
      {pairs.map(([a, b], i) => (
        <Stack key={i} direction={{ xs: 'column', sm: 'row' }} spacing={2}>
          <Choice label={`Column of ${from || 'the many side'}`} value={a} options={many} onChange={(next) => put(i, 0, next)} />
          <Choice label={`Column of ${to || 'the one side'}`} value={b} options={one} onChange={(next) => put(i, 1, next)} />
        </Stack>
      ))}
      <Stack direction="row" spacing={1}>
        <Button size="small" onClick={() => setPairs((now) => [...now, ['', '']])}>Add a column</Button>
        {pairs.length > 1 && <Button size="small" onClick={() => setPairs((now) => now.slice(0, -1))}>Remove the last column</Button>}
      </Stack>
      <Evidence modelId={modelId} ends={ends} />
      <TextField label="Name" value={name} placeholder={from && to ? `${from}_to_${to}` : undefined} onChange={(e) => setName(e.target.value)} />
    </FormDialog>
  );
}
