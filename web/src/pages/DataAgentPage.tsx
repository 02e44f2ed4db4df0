import Add from '@mui/icons-material/Add';
import Menu from '@mui/icons-material/Menu';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { AppMenu } from '../components/common/AppMenu';
import { ErrorBoundary } from '../components/common/ErrorBoundary';
import { Later } from '../components/common/Later';
import { PartFailed } from '../components/common/PartFailed';
import { MAIN, SkipLink } from '../components/common/SkipLink';
import { ShortcutHelp } from '../components/common/ShortcutHelp';
import { ChatSidebar } from '../components/chat/ChatSidebar';
import { ConnectionBanner } from '../components/chat/ConnectionBanner';
import { NewChatDialog } from '../components/chat/NewChatDialog';
import { NewQuestion } from '../components/chat/NewQuestion';
import { PendingChat } from '../components/chat/PendingChat';
import { EXAMPLES, WelcomeScreen } from '../components/chat/WelcomeScreen';
import { useDataAgent, type NewChat } from '../hooks/useDataAgent';
import { useChatActs } from '../hooks/useChatActs';
import { writeDraft } from '../hooks/useDraft';
import { useExamples, useOntologies } from '../hooks/useOntologies';
import { useMay } from '../hooks/useSession';
import { useShortcuts } from '../hooks/useShortcuts';
import { BESIDE } from '../theme/theme';
import type { Agent } from '../utils/agents';

type Pane = typeof import('./ChatPane');
let pane: Pane | null = null;

export const fetchChatPane = async (): Promise<Pane> => (pane = await import('./ChatPane'));

/** React shows what is loaded already only if it gets it at once. */
const ChatPane = lazy(() => (pane ? { then: (use: (it: Pane) => void) => use(pane!) } as Promise<Pane> : fetchChatPane()));

interface WelcomeProps {
  mayAsk: boolean;
  onAsk: (chat: NewChat, question: string) => Promise<void>;
  onMenu?: () => void;
  onNewChat: () => void;
}

function Welcome({ mayAsk, onAsk, onMenu, onNewChat }: WelcomeProps) {
  const [version, setVersion] = useState(0);
  const take = (prompt: string) => {
    writeDraft('new', prompt);
    setVersion((n) => n + 1);
  };
  const { ready, isLoading } = useOntologies();
  const [params, setParams] = useSearchParams();
  const ontology = ready.find((o) => o.id === params.get('ontology')) ?? ready[0];
  const suggested = useExamples(ontology?.id);
  const mayTry = mayAsk && (isLoading || ready.length > 0);
  const examples = suggested?.length === 0 ? EXAMPLES : suggested;
  const [asking, setAsking] = useState<{ question: string; agent: Agent } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ask = (chat: NewChat, question: string) => {
    setError(null);
    setAsking({ question, agent: chat.agent });
    onAsk(chat, question).catch((refusal: unknown) => {
      take(question); // keep the question in the input
      setError(refusal);
      setAsking(null);
    });
  };
  useEffect(() => {
    document.title = 'Sextant';
    fetchChatPane().catch(() => undefined); // the user will need it next; a failure is shown then
  }, []);
  if (asking !== null)
    return <Box component="main" id={MAIN} sx={{ flex: 1, minWidth: 0 }}><PendingChat {...asking} /></Box>;
  return (
    <Box component="main" id={MAIN} sx={{ flex: 1, minWidth: 0, overflowY: 'auto' }}>
      {onMenu && <IconButton aria-label="Chats" onClick={onMenu} sx={{ position: 'absolute', m: 1 }}><Menu /></IconButton>}
      <ConnectionBanner />
      <WelcomeScreen examples={mayTry ? examples : []} onSuggestion={take}>
        {mayAsk ? (
          <>
            <NewQuestion version={version} onAsk={ask} error={error} ontologyId={ontology?.id ?? ''}
              onOntology={(id) => setParams({ ontology: id }, { replace: true })} />
            {onMenu && mayTry && <Button startIcon={<Add />} onClick={onNewChat} sx={{ mt: 1 }}>New Chat</Button>}
          </>
        ) : (
          <Alert severity="info" action={<Button component={Link} to="/settings/data" color="inherit" size="small">See the data</Button>}>
            Your role is viewer: you can open chats that others share with you by link, and see which data there is.
            To ask questions yourself, ask an admin for the role contributor.
          </Alert>
        )}
      </WelcomeScreen>
    </Box>
  );
}

/** The sidebar, and a chat or the welcome screen. */
export function DataAgentPage() {
  const { chatId } = useParams();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [archived, setArchived] = useState(false);
  const agent = useDataAgent(useDeferredValue(search.trim()), archived);
  const mayWrite = useMay('data_agent:write');
  const mayDelete = useMay('data_agent:delete');
  const wide = useMediaQuery('(min-width:900px)');
  const roomy = useMediaQuery(BESIDE);
  const [drawer, setDrawer] = useState(false);
  const [creating, setCreating] = useState(false);
  const [help, setHelp] = useState(false);
  const acts = useChatActs(agent, chatId);

  const { ready, isLoading } = useOntologies();
  const choose = () => setCreating(true);
  /** With one source there is nothing to choose. */
  const newChat = () => {
    if (isLoading || ready.length > 1) return choose();
    setDrawer(false);
    void navigate('/agent');
    requestAnimationFrame(() => document.getElementById('question')?.focus());
  };
  const create = async (chat: NewChat, ask?: string) => {
    const made = await agent.createChat(chat);
    setDrawer(false);
    await navigate(`/agent/${made.id}${ask && roomy ? '?panel=insights' : ''}`, { state: ask ? { ask } : null });
  };
  useShortcuts(
    useMemo(
      () => ({
        'Ctrl+Shift+O': () => setCreating(true),
        'Ctrl+K': () => {
          setDrawer(true);
          requestAnimationFrame(() => document.getElementById('search-chats')?.focus());
        },
        '?': () => setHelp(true),
      }),
      [],
    ),
  );

  const sidebar = (
    <ChatSidebar
      chats={agent.chats} currentChatId={chatId ?? null} isLoading={agent.isLoading}
      error={agent.error} onRetry={() => void agent.refetch()}
      search={search} onSearch={setSearch}
      onNewChat={mayWrite ? newChat : undefined} onChoose={mayWrite ? choose : undefined}
      onSelectChat={() => setDrawer(false)}
      onRenameChat={mayWrite ? acts.rename : undefined}
      onDeleteChat={mayDelete ? acts.remove : undefined}
      onPinChat={mayWrite ? acts.pin : undefined} onArchiveChat={mayWrite ? acts.archive : undefined}
      archived={archived} onArchived={setArchived}
      onMore={agent.hasMore ? () => void agent.fetchMore() : undefined}
    >
      <AppMenu onHelp={() => setHelp(true)} />
    </ChatSidebar>
  );
  const onMenu = wide ? undefined : () => setDrawer(true);
  return (
    <Box sx={{ display: 'flex', height: '100dvh' }}>
      <SkipLink />
      {wide ? (
        <Box sx={{ width: 280, flex: 'none', borderRight: 1, borderColor: 'divider', bgcolor: 'background.paper' }}><Later>{sidebar}</Later></Box>
      ) : (
        <Drawer open={drawer} onClose={() => setDrawer(false)} slotProps={{ paper: { 'aria-label': 'Chats', sx: { width: 300, maxWidth: '85vw' } } }}>{sidebar}</Drawer>
      )}
      {chatId ? (
        <ErrorBoundary at={chatId} instead={(error) => <Box component="main" id={MAIN} sx={{ flex: 1, minWidth: 0, p: 2 }}><PartFailed error={error} /></Box>}>
          <Suspense fallback={null}>
            <ChatPane key={chatId} chatId={chatId} onMenu={onMenu}
              onProvider={(llmProvider) => agent.updateChat(chatId, { llmProvider })} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Welcome mayAsk={mayWrite} onAsk={create} onMenu={onMenu} onNewChat={choose} />
      )}
      <Later>
        <NewChatDialog open={creating} onClose={() => setCreating(false)} onCreate={create} />
        <ShortcutHelp open={help} onClose={() => setHelp(false)} />
      </Later>
    </Box>
  );
}
