import Check from '@mui/icons-material/Check';
import Edit from '@mui/icons-material/Edit';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { reasonOf } from '../../api/errors';

interface InlineTextProps {
  /** What it is, for its buttons: "Label of orders". */
  label: string;
  value: string;
  /** In place of an empty value. */
  empty: string;
  multiline?: boolean;
  /** Undefined: it can only be read. */
  onSave?: (value: string) => Promise<unknown>;
}

/** A text that is edited where it is: Enter saves, Esc leaves it as it was. */
export function InlineText({ label, value, empty, multiline = false, onSave }: InlineTextProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDraft(null);
    setRefusal(null);
    setTimeout(() => pencil.current?.focus());
  };
  const save = async () => {
    if (draft === null || draft.trim() === value) return close();
    try {
      await onSave!(draft.trim());
      close();
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  if (draft === null)
    return (
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.5, minWidth: 0 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line', color: value ? undefined : 'text.secondary' }}>
          {value || empty}
        </Typography>
        {onSave && (
          <IconButton ref={pencil} size="small" aria-label={`Edit: ${label}`} sx={{ p: 0.25 }} onClick={() => setDraft(value)}>
            <Edit fontSize="inherit" />
          </IconButton>
        )}
      </Box>
    );
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.5, minWidth: 0 }}>
      <TextField size="small" fullWidth autoFocus multiline={multiline} label={label} value={draft}
        error={refusal !== null} helperText={refusal} onChange={(e) => setDraft(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            close();
          } else if (e.key === 'Enter' && (!multiline || e.ctrlKey || e.metaKey)) {
            e.preventDefault();
            void save();
          }
        }} />
      <IconButton aria-label={`Save: ${label}`} onClick={() => void save()}><Check /></IconButton>
    </Box>
  );
}

/** "sales, turnover" as two words. */
export const wordsOf = (text: string) => text.split(',').map((word) => word.trim()).filter(Boolean);

/** A list of words, edited as one text with commas. */
export function InlineWords({ label, words, empty, onSave }: {
  label: string; words: string[]; empty: string; onSave?: (words: string[]) => Promise<unknown>;
}) {
  const save = onSave && ((text: string) => onSave(wordsOf(text)));
  return <InlineText label={label} value={words.join(', ')} empty={empty} onSave={save} />;
}
