import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { SnackbarProvider } from 'notistack';
import { useState, type ReactNode } from 'react';
import { MemoryRouter, type InitialEntry } from 'react-router';
import { MeContext } from '../hooks/useSession';
import type { Me } from '../api/types';
import { theme } from '../theme/theme';

export const ME: Me = {
  id: '00000000-0000-4000-8000-000000000001',
  email: 'ann@example.org',
  displayName: 'Ann',
  profileImageUrl: null,
  roles: [{ name: 'contributor' }],
  isActive: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  permissions: ['data_agent:read', 'data_agent:write', 'data_agent:delete', 'connections:read', 'semantic_models:read'],
};

/** The providers that components need. */
export function Surroundings({ children, at = '/agent' }: { children: ReactNode; at?: InitialEntry }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  return (
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <SnackbarProvider>
          <MeContext value={ME}>
            <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
          </MeContext>
        </SnackbarProvider>
      </QueryClientProvider>
    </ThemeProvider>
  );
}

export function show(element: ReactNode, at?: InitialEntry) {
  return render(<Surroundings at={at}>{element}</Surroundings>);
}
