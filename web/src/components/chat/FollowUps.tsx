import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metadataOf, planOf, type Chat } from '../../api/types';
import { DATASETS_MOST, graphQuery } from '../../hooks/useModelGraph';
import type { Shown } from '../../utils/branches';
import { followUps } from '../../utils/followUps';

interface FollowUpsProps {
  chat: Chat;
  path: Shown[];
  onAsk: (question: string) => void;
}

/** Suggested questions below the latest answer. */
export function FollowUps({ chat, path, onAsk }: FollowUpsProps) {
  const last = path.at(-1)?.message;
  const metadata = last?.status === 'complete' ? metadataOf(last) : null;
  const plan = planOf(metadata);
  const graph = useQuery({
    ...graphQuery(chat.ontologyId),
    enabled: Boolean(plan?.metrics.length) && (chat.ontology?.datasetCount ?? Infinity) <= DATASETS_MOST,
  });
  const questions = useMemo(() => {
    if (!plan || !graph.data) return [];
    const asked = path.flatMap(({ message }) => (message.role === 'user' ? message.content : []));
    return followUps(plan, metadata?.dataLineage?.datasets ?? metadata?.datasetsUsed ?? [], graph.data, asked);
  }, [graph.data, metadata, path, plan]);
  if (questions.length === 0) return null;
  return (
    <Stack direction="row" role="group" aria-label="Ask next" sx={{ flexWrap: 'wrap', gap: 1, mb: 2 }}>
      {questions.map((question) => (
        <Chip key={question} label={question} variant="outlined" color="primary" onClick={() => onAsk(question)} />
      ))}
    </Stack>
  );
}
