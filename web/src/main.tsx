import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { SnackbarProvider } from 'notistack';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { chatOf } from './api/begin';
import { chatQuery } from './api/chatQuery';
import { ApiError } from './api/errors';
import { resumed } from './api/session';
import { App } from './App';
import { Beginning } from './components/common/Later';
import { meQuery } from './hooks/useSession';
import { userSettingsQuery } from './hooks/useUserSettings';
import { fetchChatPane } from './pages/DataAgentPage';
import { theme } from './theme/theme';

/** Error responses are not retried; an unreachable server is retried twice. */
function worthRetry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

const queries = new QueryClient({ defaultOptions: { queries: { retry: worthRetry } } });

/** The first render waits this long for what it shows. */
const PATIENCE_MS = 300;

/** Fetches what the address shows: rendering the way to it, in four steps, takes longer than it does. */
async function firstData(): Promise<void> {
  const chat = chatOf(location.pathname);
  const pane = chat && fetchChatPane();
  if (!(await resumed())) return;
  await Promise.all([
    queries.prefetchQuery(meQuery), queries.prefetchQuery(userSettingsQuery),
    chat && queries.prefetchQuery(chatQuery(chat)), pane,
  ]);
}

function render(): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <ThemeProvider theme={theme} defaultMode="system" noSsr>
        <CssBaseline />
        <QueryClientProvider client={queries}>
          <SnackbarProvider maxSnack={3}>
            <BrowserRouter>
              <Beginning><App /></Beginning>
            </BrowserRouter>
          </SnackbarProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  );
}

void Promise.race([
  firstData().catch(() => undefined), // the page says what is wrong
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
]).then(render);
