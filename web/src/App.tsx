import CircularProgress from '@mui/material/CircularProgress';
import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { keys } from './api/keys';
import { logout } from './api/session';
import { onTabNews } from './api/tabs';
import { Alone } from './components/common/Alone';
import { ErrorBoundary } from './components/common/ErrorBoundary';
import { ErrorCard } from './components/common/ErrorCard';
import { PartFailed } from './components/common/PartFailed';
import { FileDrop } from './components/files/FileDrop';
import { MeContext, useMeQuery, useSignedIn } from './hooks/useSession';
import { useUserSettings } from './hooks/useUserSettings';
import { DataAgentPage } from './pages/DataAgentPage';
import { LoginPage } from './pages/LoginPage';
import { forgetAllRuns } from './utils/runStore';

const SharePage = lazy(() => import('./pages/SharePage'));
const SettingsPage = lazy(() => import('./pages/SettingsPage'));
const DataPage = lazy(() => import('./pages/DataPage'));
const OntologyPage = lazy(() => import('./pages/OntologyPage'));
const ConnectPage = lazy(() => import('./pages/ConnectPage'));
const NotFoundPage = lazy(() => import('./pages/NotFoundPage'));
const AdminPage = lazy(() => import('./pages/AdminPage'));
const BoardsPage = lazy(() => import('./pages/BoardsPage'));
const BoardPage = lazy(() => import('./pages/BoardPage'));
const SchedulesPage = lazy(() => import('./pages/SchedulesPage'));
const SqlPage = lazy(() => import('./pages/SqlPage'));
const ExplorePage = lazy(() => import('./pages/ExplorePage'));

function Waiting() {
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', height: '100%' }}>
      <CircularProgress aria-label="Loading" />
    </Box>
  );
}

/** Applies the changes that other tabs made. */
function useTabs() {
  const cache = useQueryClient();
  useEffect(
    () =>
      onTabNews((news) => {
        if (news.kind === 'signed-out') void logout();
        if (news.kind === 'chat') void cache.invalidateQueries({ queryKey: keys.chat(news.chatId) });
        if (news.kind !== 'signed-out') void cache.invalidateQueries({ queryKey: keys.allChats });
      }),
    [cache],
  );
}

function useStoredTheme() {
  const { settings } = useUserSettings();
  const { setMode } = useColorScheme();
  const theme = settings?.version ? settings.theme : undefined;
  useEffect(() => {
    if (theme) setMode(theme);
  }, [theme, setMode]);
}

/** The pages on which files can be dropped to upload them. */
function WithUploads() {
  return (
    <FileDrop>
      <Routes>
        <Route path="/agent" element={<DataAgentPage />} />
        <Route path="/agent/:chatId" element={<DataAgentPage />} />
        <Route path="/sql" element={<SqlPage />} />
        <Route path="/settings/data" element={<DataPage />} />
        <Route path="/settings/data/ontologies/:id" element={<OntologyPage />} />
        <Route path="/settings/data/connect" element={<ConnectPage />} />
        <Route path="/boards" element={<BoardsPage />} />
        <Route path="/boards/:boardId" element={<BoardPage />} />
        <Route path="/schedules" element={<SchedulesPage />} />
        <Route path="/settings" element={<SettingsPage />} />
        <Route path="/admin/*" element={<AdminPage />} />
        <Route path="/" element={<Navigate to="/agent" replace />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </FileDrop>
  );
}

function SignedInApp() {
  const me = useMeQuery();
  useTabs();
  useStoredTheme();
  // A server that restarts must not take the page away.
  if (me.error && !me.data)
    return <Alone><ErrorCard title="Your account could not be read" error={me.error} onRetry={() => void me.refetch()} /></Alone>;
  if (!me.data) return <Waiting />;
  return (
    <MeContext value={me.data}>
      <Routes>
        {/* A file that is dropped there stays in the browser: no FileDrop around it. */}
        <Route path="/explore" element={<ExplorePage />} />
        <Route path="*" element={<WithUploads />} />
      </Routes>
    </MeContext>
  );
}

function Private() {
  const { state, retry } = useSignedIn();
  const cache = useQueryClient();
  useEffect(() => {
    if (state !== 'no') return;
    forgetAllRuns();
    cache.clear();
  }, [state, cache]);
  if (state === 'asking') return <Waiting />;
  if (state === 'unreachable')
    return <Alone><ErrorCard title="No connection" error={new TypeError()} onRetry={retry} /></Alone>;
  return state === 'yes' ? <SignedInApp /> : <LoginPage />;
}

export function App() {
  return (
    <ErrorBoundary at={useLocation().pathname} instead={(error) => <Alone><PartFailed error={error} /></Alone>}>
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/share/:token" element={<SharePage />} />
          <Route path="*" element={<Private />} />
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}
