import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { ProviderId } from '../../api/types';
import { useDefaultAgent } from '../../hooks/useDefaultAgent';
import type { NewChat } from '../../hooks/useDataAgent';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';
import { UploadButtons } from '../files/UploadButtons';
import type { Agent } from '../../utils/agents';
import { AgentChoice } from './AgentChoice';
import { ModelSelector } from './ModelSelector';
import { OntologySelect } from './OntologySelect';

interface NewChatDialogProps {
  open: boolean;
  onClose: () => void;
  onCreate: (chat: NewChat) => Promise<void>;
}

function Form({ onClose, onCreate }: Omit<NewChatDialogProps, 'open'>) {
  const { ready, isLoading, error: unread, refetch } = useOntologies();
  const { defaultProvider } = useLlmProviders();
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const [provider, setProvider] = useState<ProviderId | null | undefined>();
  const [defaultAgent] = useDefaultAgent();
  const [agent, setAgent] = useState<Agent>(defaultAgent);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const ontologyId = chosen || (ready.length === 1 ? ready[0]!.id : '');
  const llmProvider = provider === undefined ? defaultProvider : provider;

  const create = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await onCreate({ ontologyId, llmProvider, agent, ...(name.trim() ? { name: name.trim() } : {}) });
      onClose();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(e) => { e.preventDefault(); void create(); }}>
      <DialogContent>
        <Stack spacing={2}>
          {unread && ready.length === 0 && <ErrorCard title="The data could not be listed" error={unread} onRetry={() => void refetch()} />}
          {!isLoading && !unread && ready.length === 0 && (
            <Alert severity="info">No ontology is ready yet.</Alert>
          )}
          <OntologySelect ontologies={ready} value={ontologyId} onChange={setChosen}
            helperText="Select the ontology (data model) for this conversation" />
          <UploadButtons onChoose={onClose} />
          <TextField size="small" label="Chat Name (Optional)" value={name} onChange={(e) => setName(e.target.value)}
            helperText="Auto-generated from first question if left empty" slotProps={{ htmlInput: { maxLength: 255 } }} />
          <AgentChoice label="Agent" value={agent} onChange={setAgent} />
          <ModelSelector value={llmProvider} onChange={setProvider} />
          {Boolean(error) && <ErrorCard title="The chat could not be created" error={error} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="contained" disabled={!ontologyId}>Create</Button>
      </DialogActions>
    </form>
  );
}

export function NewChatDialog({ open, onClose, onCreate }: NewChatDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="new-chat-title">
      <DialogTitle id="new-chat-title">New Chat</DialogTitle>
      <Form onClose={onClose} onCreate={onCreate} />
    </Dialog>
  );
}
