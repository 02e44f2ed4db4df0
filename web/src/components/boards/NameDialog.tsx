import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { FormDialog } from '../common/FormDialog';

interface NameDialogProps {
  title: string;
  name?: string;
  act: string;
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the name of a board. */
export function NameDialog({ title, name = '', act, onSave, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  return (
    <FormDialog title={title} act={act} onClose={onClose} onSave={() => onSave(text.trim())}>
      <TextField autoFocus fullWidth required label="Name" value={text} onChange={(e) => setText(e.target.value)}
        slotProps={{ htmlInput: { maxLength: 200 } }} />
    </FormDialog>
  );
}
