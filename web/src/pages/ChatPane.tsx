import { useSnackbar } from 'notistack';
import { lazy, useEffect, useState } from 'react';
import { messageOf } from '../api/errors';
import type { ProviderId } from '../api/types';
import { ChatHeader } from '../components/chat/ChatHeader';
import { ChatView } from '../components/chat/ChatView';
import { LazyPart } from '../components/common/LazyPart';
import { InsightsPane } from '../components/insights/InsightsPane';
import { ConsoleContext } from '../components/sql/consoleContext';
import { PreferencesDialog } from '../components/preferences/PreferencesDialog';
import { useDataChat } from '../hooks/useDataChat';
import { useInsightsOpen } from '../hooks/useInsightsOpen';
import { useMay } from '../hooks/useSession';

const ShareDialog = lazy(() => import('../components/chat/ShareDialog'));

interface ChatPaneProps {
  chatId: string;
  onMenu?: () => void;
  onProvider: (provider: ProviderId | null) => Promise<void>;
}

function useAutoSavedNote(saved: { key: string }[]) {
  const { enqueueSnackbar } = useSnackbar();
  useEffect(() => {
    if (saved.length === 0) return;
    const what = saved.length === 1 ? '1 preference saved' : `${saved.length} preferences saved`;
    const text = `${what}: ${saved.map((s) => s.key).join(', ')}`;
    enqueueSnackbar(text, { variant: 'success', autoHideDuration: 5000, key: text, preventDuplicate: true });
  }, [saved, enqueueSnackbar]);
}

/** A chat with its insights panel. */
export default function ChatPane({ chatId, onMenu, onProvider }: ChatPaneProps) {
  const state = useDataChat(chatId);
  const { enqueueSnackbar } = useSnackbar();
  const insights = useInsightsOpen(state.isStreaming);
  const [preferences, setPreferences] = useState(false);
  const [read, setRead] = useState<string | null>(null);
  const [sharing, setSharing] = useState(false);
  const mayWrite = useMay('data_agent:write');
  useAutoSavedNote(state.autoSaved);

  const setProvider = (provider: ProviderId | null) =>
    void onProvider(provider).catch((error: unknown) =>
      enqueueSnackbar(messageOf(error), { variant: 'error' }));
  const header = (
    <ChatHeader chat={state.chat} onMenu={onMenu} onShare={mayWrite && !state.error ? () => setSharing(true) : undefined}
      onPreferences={() => setPreferences(true)} onInsights={insights.toggle} insightsOpen={insights.open} />
  );
  return (
    <ConsoleContext value={mayWrite ? state.chat?.ontologyId ?? '' : ''}>
      <ChatView state={state} header={header} onProvider={setProvider} onRead={setRead} />
      <InsightsPane open={insights.open} onClose={insights.close} chatId={chatId}
        messages={state.path} read={read} streamEvents={state.streamEvents} isStreaming={state.isStreaming}
        agent={state.chat?.agent} rounds={state.rounds} />
      {preferences && (
        <PreferencesDialog open onClose={() => setPreferences(false)} ontologyId={state.chat?.ontologyId ?? null} />
      )}
      {sharing && (
        <LazyPart onClose={() => setSharing(false)}><ShareDialog chatId={chatId} onClose={() => setSharing(false)} /></LazyPart>
      )}
    </ConsoleContext>
  );
}
