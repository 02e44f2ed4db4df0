import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';

export interface ConditionDraft {
  /** '': no condition */
  test: '' | 'above' | 'below' | 'rises' | 'falls';
  column: string;
  take: 'first' | 'last' | 'sum' | 'min' | 'max';
  amount: string;
  unit: 'percent' | 'absolute';
}

const TESTS: [ConditionDraft['test'], string][] = [
  ['', 'No condition'], ['above', 'is above'], ['below', 'is below'], ['rises', 'rises by'], ['falls', 'falls by'],
];
const TAKES: [ConditionDraft['take'], string][] = [['first', 'First row'], ['last', 'Last row'], ['sum', 'Sum'], ['min', 'Least'], ['max', 'Greatest']];

interface ConditionFieldsProps {
  draft: ConditionDraft;
  /** The columns of the answer; empty: they are not known. */
  columns: string[];
  onChange: (draft: ConditionDraft) => void;
}

/** What is compared after each run. */
export function ConditionFields({ draft, columns, onChange }: ConditionFieldsProps) {
  const set = (part: Partial<ConditionDraft>) => onChange({ ...draft, ...part });
  const compares = draft.test === 'rises' || draft.test === 'falls';
  const listed = columns.length > 0 && (draft.column === '' || columns.includes(draft.column));
  return (
    <Box role="group" aria-label="Condition" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(130px, 1fr))', mt: 2 }}>
      {draft.test !== '' && (
        <>
          <TextField select={listed} label="Column" required value={draft.column} onChange={(e) => set({ column: e.target.value })}>
            {listed ? columns.map((name) => <MenuItem key={name} value={name}>{name}</MenuItem>) : undefined}
          </TextField>
          <TextField select label="Of" value={draft.take} onChange={(e) => set({ take: e.target.value as ConditionDraft['take'] })}>
            {TAKES.map(([take, name]) => <MenuItem key={take} value={take}>{name}</MenuItem>)}
          </TextField>
        </>
      )}
      <TextField select label="Condition" value={draft.test} onChange={(e) => set({ test: e.target.value as ConditionDraft['test'] })}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}>
        {TESTS.map(([test, name]) => <MenuItem key={test} value={test}>{name}</MenuItem>)}
      </TextField>
      {draft.test !== '' && (
        <TextField label={compares ? 'At least' : 'Number'} type="number" required value={draft.amount} onChange={(e) => set({ amount: e.target.value })}
          slotProps={{ htmlInput: { step: 'any', ...(compares && { min: 0 }) } }} />
      )}
      {compares && (
        <TextField select label="Unit" value={draft.unit} onChange={(e) => set({ unit: e.target.value as ConditionDraft['unit'] })}>
          <MenuItem value="percent">per cent</MenuItem>
          <MenuItem value="absolute">absolute</MenuItem>
        </TextField>
      )}
    </Box>
  );
}
