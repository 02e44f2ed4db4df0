import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ProviderId } from '../../api/types';
import { useDefaultAgent } from '../../hooks/useDefaultAgent';
import type { NewChat } from '../../hooks/useDataAgent';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';
import { Beginnings } from '../onboarding/Beginnings';
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

/** The form for the first question of a new chat. */
export function NewQuestion({ version, ontologyId, onOntology, onAsk, error }: NewQuestionProps) {
  const { ready, isLoading, error: unread, refetch } = useOntologies();
  const { defaultProvider } = useLlmProviders();
  const [provider, setProvider] = useState<ProviderId | null | undefined>();
  const [defaultAgent] = useDefaultAgent();
  const [agent, setAgent] = useState<Agent>(defaultAgent);
  const llmProvider = provider === undefined ? defaultProvider : provider;
  const send = (question: string) => onAsk({ ontologyId, llmProvider, agent }, question);
  if (unread && ready.length === 0)
    return <ErrorCard title="The data could not be listed" error={unread} onRetry={() => void refetch()} />;
  if (!isLoading && ready.length === 0)
    return <Beginnings />;
  return (
    <Stack spacing={1.5} sx={{ mt: -1.25 }}>
      {/* As high as a select, also before it is known whether there is a choice. */}
      <Box sx={{ minHeight: 40, display: 'flex', alignItems: 'end' }}>
        {ready.length > 1 && (
          <Box sx={{ width: '100%', maxWidth: 360 }}>
            <OntologySelect ontologies={ready} value={ontologyId} onChange={onOntology} />
          </Box>
        )}
        {ready.length === 1 && (
          <Typography variant="body2" color="textSecondary">
            You are asking about <strong>{ready[0]!.name}</strong> ({ready[0]!.datasetCount} {ready[0]!.datasetCount === 1 ? 'dataset' : 'datasets'}).
          </Typography>
        )}
      </Box>
      <ChatInput key={version} place="new" onSend={send} disabled={!ontologyId} autoFocus>
        {/* On a phone, a long name of a model would begin a second line when it is loaded. */}
        <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ flexWrap: 'wrap', alignItems: 'start', columnGap: 2 }}>
          <AgentSelector value={agent} onChange={setAgent} />
          <ModelSelector value={llmProvider} onChange={setProvider} />
        </Stack>
      </ChatInput>
      {Boolean(error) && <ErrorCard title="The question could not be asked" error={error} />}
    </Stack>
  );
}
