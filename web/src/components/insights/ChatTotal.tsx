import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../../api/client';
import { keys } from '../../api/keys';
import { formatCost, formatTokenCount } from './insightsUtils';

/** "This chat: 3 answers, 12,400 tokens, cost 0.031". Nothing until a language model was used. */
export function ChatTotal({ chatId, answerId }: { chatId: string; answerId: string }) {
  const { data } = useQuery({
    queryKey: keys.chatUsage(chatId, answerId),
    queryFn: () => unwrap(http.GET('/api/data-agent/chats/{chatId}/usage', { params: { path: { chatId } } })),
    staleTime: Infinity,
  });
  if (!data?.answers) return null;
  const answers = `${formatTokenCount(data.answers)} ${data.answers === 1 ? 'answer' : 'answers'}`;
  const cost = data.cost === null ? '' : `, cost ${formatCost(data.cost)}`;
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ mb: 1 }}>
      This chat: {answers}, {formatTokenCount(data.tokens)} tokens{cost}
    </Typography>
  );
}
