import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ProviderId } from '../../api/types';
import { useDefaultAgent } from '../../hooks/useDefaultAgent';
import type { NewChat } from '../../hooks/useDataAgent';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useOntologies } from '../../hooks/useOntologies';
import { useMay } from '../../hooks/useSession';
import { ErrorCard } from '../common/ErrorCard';
import { UploadButtons } from '../files/UploadButtons';
import type { Agent } from '../../utils/agents';
import { AgentSelector } from './AgentSelector';
import { ChatInput } from './ChatInput';
import { ModelSelector } from './ModelSelector';
import { OntologySelect } from './OntologySelect';

interface NewQuestionProps {
  /** A change of this number renders the input again, because a suggestion became the draft. */
  version: number;
  ontologyId: string;
  onOntology: (id: string) => void;
  onAsk: (chat: NewChat, question: string) => void;
  /** The error of the previous attempt. */
  error: unknown;
}

function NothingYet() {
  const mayConnect = useMay('semantic_models:write');
  return (
    <Stack spacing={1.5}>
      <Alert severity="info" action={mayConnect && (
        <Button component={Link} to="/settings/data/connect" color="inherit" size="small">Connect a database</Button>
      )}>
        No ontology is ready yet.
      </Alert>
      <UploadButtons samples />
    </Stack>
  );
}

/** The form for the first question of a new chat. */
export function NewQuestion({ version, ontologyId, onOntology, onAsk, error }: NewQuestionProps) {
  const { ready, isLoading } = useOntologies();
  const { defaultProvider } = useLlmProviders();
  const [provider, setProvider] = useState<ProviderId | null | undefined>();
  const [defaultAgent] = useDefaultAgent();
  const [agent, setAgent] = useState<Agent>(defaultAgent);
  const llmProvider = provider === undefined ? defaultProvider : provider;
  const send = (question: string) => onAsk({ ontologyId, llmProvider, agent }, question);
  if (!isLoading && ready.length === 0)
    return <NothingYet />;
  return (
    <Stack spacing={1.5}>
      {ready.length > 1 && (
        <Box sx={{ maxWidth: 360 }}>
          <OntologySelect ontologies={ready} value={ontologyId} onChange={onOntology} />
        </Box>
      )}
      <ChatInput key={version} place="new" onSend={send} disabled={!ontologyId} autoFocus>
        <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 2 }}>
          <AgentSelector value={agent} onChange={setAgent} />
          <ModelSelector value={llmProvider} onChange={setProvider} />
        </Stack>
      </ChatInput>
      {Boolean(error) && <ErrorCard title="The question could not be asked" error={error} />}
    </Stack>
  );
}
