import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { http, unwrap } from '../../api/client';
import { keys } from '../../api/keys';
import { metadataOf, planOf, type Chat } from '../../api/types';
import type { Shown } from '../../utils/branches';
import { followUps } from '../../utils/followUps';

/** Ontologies with more datasets get no suggestions: loading their fields takes too long. */
const DATASETS_MOST = 200;

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
    queryKey: keys.graph(chat.ontologyId, true),
    queryFn: () => unwrap(http.GET('/api/ontologies/{id}/graph', { params: { path: { id: chat.ontologyId } } })),
    enabled: Boolean(plan?.metrics.length) && (chat.ontology?.datasetCount ?? Infinity) <= DATASETS_MOST,
    staleTime: 600_000,
    retry: false,
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
