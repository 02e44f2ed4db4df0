import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import type { ProviderId } from '../../api/types';
import type { NewChat } from '../../hooks/useDataAgent';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';
import { ChatInput } from './ChatInput';
import { ModelSelector } from './ModelSelector';
import { OntologySelect } from './OntologySelect';

interface NewQuestionProps {
  /** Drawn anew when its number changes: a suggestion became the draft. */
  version: number;
  onAsk: (chat: NewChat, question: string) => Promise<void>;
}

/** The first question of a chat that is not there yet. */
export function NewQuestion({ version, onAsk }: NewQuestionProps) {
  const { ready, isLoading } = useOntologies();
  const { defaultProvider } = useLlmProviders();
  const [chosen, setChosen] = useState('');
  const [provider, setProvider] = useState<ProviderId | null | undefined>();
  const [error, setError] = useState<unknown>(null);
  const ontologyId = chosen || (ready[0]?.id ?? '');
  const llmProvider = provider === undefined ? defaultProvider : provider;
  const send = (question: string) => {
    setError(null);
    onAsk({ ontologyId, llmProvider }, question).catch(setError);
  };
  if (!isLoading && ready.length === 0)
    return <Alert severity="info">There is nothing to ask about yet: no ontology is ready.</Alert>;
  return (
    <Stack spacing={1.5}>
      {ready.length > 1 && (
        <Box sx={{ maxWidth: 360 }}>
          <OntologySelect ontologies={ready} value={ontologyId} onChange={setChosen} />
        </Box>
      )}
      <ChatInput key={version} place="new" onSend={send} disabled={!ontologyId} autoFocus>
        <ModelSelector value={llmProvider} onChange={setProvider} />
      </ChatInput>
      {Boolean(error) && <ErrorCard title="The question could not be asked" error={error} />}
    </Stack>
  );
}
