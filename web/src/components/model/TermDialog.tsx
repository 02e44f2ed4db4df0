import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import Alert from '@mui/material/Alert';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { Link } from 'react-router';
import { reasonOf } from '../../api/errors';
import type { ModelEdit, ModelMetric, ModelParts } from '../../api/types';
import { useModelChange, useModelParts, type ModelEditor } from '../../hooks/useModel';
import { useOntologies } from '../../hooks/useOntologies';
import type { Term } from '../../utils/terms';
import MetricDialog from './MetricDialog';

interface TermDialogProps {
  ontologyId: string;
  /** Null: the question names no metric. */
  term: Term | null;
  onClose: () => void;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The edits that make the word mean another metric. */
export function choiceOf(word: string, from: ModelMetric | undefined, to: ModelMetric): ModelEdit[] {
  const set = (metric: ModelMetric, synonyms: string[]): ModelEdit => ({ op: 'set', kind: 'metric', name: metric.name, values: { synonyms } });
  const kept = from?.synonyms.filter((s) => !same(s, word));
  const edits = from && kept && kept.length < from.synonyms.length ? [set(from, kept)] : [];
  return [...edits, set(to, [...to.synonyms.filter((s) => !same(s, word)), word])];
}

/** The word is the metric's own name: it cannot mean another one. */
const isName = (word: string, metric: ModelMetric) => same(word, metric.name.replaceAll('_', ' ')) || same(word, metric.label ?? '');

interface DefinitionProps {
  term: Term;
  parts: ModelParts | undefined;
  editor: ModelEditor | undefined;
  ontologyId: string;
  onClose: () => void;
  onChange: (metric: ModelMetric | null) => void;
}

/** What the word means in these data; the owner can change that. */
function Definition({ term, parts, editor, ontologyId, onClose, onChange }: DefinitionProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { enqueueSnackbar } = useSnackbar();
  const metric = parts?.metrics.find((m) => m.name === term.metric.name);
  const others = parts?.metrics.filter((m) => m.name !== term.metric.name && !m.hidden) ?? [];
  const choose = async (name: string) => {
    try {
      await editor!.edit(...choiceOf(term.word, metric, others.find((m) => m.name === name)!));
      void enqueueSnackbar(`Questions about "${term.word}" now use ${name}.`);
      onClose();
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="term-title">
      <DialogTitle id="term-title">What is {term.word}?</DialogTitle>
      <DialogContent>
        {refusal && <Alert severity="error" sx={{ mb: 1 }}>{refusal}</Alert>}
        <Typography sx={{ fontWeight: 600 }}>{term.metric.label ?? term.metric.name}</Typography>
        {term.metric.description && <Typography variant="body2">{term.metric.description}</Typography>}
        <Typography component="code" variant="body2" sx={{ display: 'block', fontFamily: 'monospace', my: 1, overflowWrap: 'anywhere' }}>{term.metric.expression}</Typography>
        {editor && metric && !isName(term.word, metric) && others.length > 0 && (
          <TextField select fullWidth size="small" margin="normal" label={`"${term.word}" means`} value={metric.name} onChange={(e) => void choose(e.target.value)}
            helperText="Saved in the model, for everyone who uses it">
            {[metric, ...others].map((m) => <MenuItem key={m.name} value={m.name}>{m.label ?? m.name}</MenuItem>)}
          </TextField>
        )}
        {!editor && <Typography variant="body2" color="textSecondary">Only the owner of the model can change it.</Typography>}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        {editor && metric && <Button onClick={() => onChange(metric)}>Edit the definition</Button>}
        {editor && <Button onClick={() => onChange(null)}>Define another metric</Button>}
        {editor && <Button component={Link} to={`/settings/data/ontologies/${ontologyId}?tab=metrics`}>All metrics</Button>}
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

/** What a word of a question means, and the dialog in which the owner defines it. */
export default function TermDialog({ ontologyId, term, onClose }: TermDialogProps) {
  const modelId = useOntologies().ontologies.find((o) => o.id === ontologyId)?.semanticModelId;
  const details = useModelParts(modelId);
  const change = useModelChange(modelId ?? '');
  const editor = details.data?.editable ? change : undefined;
  const [metric, setMetric] = useState<ModelMetric | null | undefined>(term ? undefined : null);
  if (metric !== undefined && editor && modelId)
    return <MetricDialog modelId={modelId} editor={editor} metric={metric} onClose={onClose} />;
  if (!term) return null;
  return <Definition term={term} parts={details.data?.parts} editor={editor} ontologyId={ontologyId} onClose={onClose} onChange={setMetric} />;
}
