import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { App } from '../App';
import { ME, show } from '../test/render';
import { chat, CHAT_ID, message } from '../test/samples';
import { begin, pathsOf } from './begin';
import { sendEarly, takeEarly } from './early';
import { logout } from './session';
import { onTabNews } from './tabs';

const ADDRESS = `/agent/${CHAT_ID}`;
let asked: string[];
const page = (items: unknown[]) => ({ data: { items, page: 1, pageSize: 50, total: items.length, totalPages: 1 } });
const answers: Record<string, unknown> = {
  '/api/auth/me': { data: ME },
  '/api/user-settings': { data: { theme: 'system', version: 0 } },
  '/api/data-agent/chats': page([]),
  '/api/ontologies': page([]),
  '/api/llm/providers': { data: { providers: [] } },
  [`/api/data-agent/chats/${CHAT_ID}`]: { data: chat({ messageCount: 2, messages: [
    message({ id: 'q', role: 'user', content: 'Why?' }), message({ id: 'a', parentId: 'q', content: 'Because.' })] }) },
};
const server = setupServer(
  http.post('*/api/auth/session', () => {
    asked.push('session');
    return HttpResponse.json({ data: { signedIn: true, accessToken: 't', expiresIn: 900 } });
  }),
  http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
  http.get('*', ({ request }) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    return answers[pathname] ? HttpResponse.json(answers[pathname]) : HttpResponse.json({}, { status: 404 });
  }),
);
beforeAll(() => server.listen());
beforeEach(() => { asked = []; });
afterEach(async () => {
  await logout();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('what is requested before the page is loaded', () => {
  it('is what the page of a chat requests, and it requests none of it again', async () => {
    begin(ADDRESS);
    await waitFor(() => expect(asked).toEqual(['session', ...pathsOf(ADDRESS)]));
    show(<App />, ADDRESS);
    expect(await screen.findByText('Because.')).toBeVisible();
    await waitFor(() => expect(asked.some((path) => path.endsWith('/graph'))).toBe(true));
    for (const path of ['session', ...pathsOf(ADDRESS)])
      expect(asked.filter((one) => one === path), path).toHaveLength(1);
  });

  it('is only the session of somebody who is not signed in, and nothing for a link', async () => {
    server.use(http.post('*/api/auth/session', () => {
      asked.push('session');
      return HttpResponse.json({ data: { signedIn: false, accessToken: null, expiresIn: null } });
    }));
    begin('/share/x');
    begin(ADDRESS);
    show(<App />, ADDRESS);
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(asked.filter((path) => path !== '/api/auth/providers')).toEqual(['session']);
  });

  it('is used once, while it is new, and not after signing out', async () => {
    const request = () => new Request(new URL('/api/x?y=1', location.origin));
    const send = () => sendEarly('/api/x?y=1', () => Promise.resolve(Response.json(1)));
    send();
    expect(await (await takeEarly(request()))?.json()).toBe(1);
    expect(await takeEarly(request())).toBeNull();
    send();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    expect(await takeEarly(request())).toBeNull();
    vi.restoreAllMocks();
    begin(ADDRESS);
    await waitFor(() => expect(asked).toContain('/api/auth/me'));
    send();
    await logout();
    expect(await takeEarly(request())).toBeNull();
  });

  it('is not used when another tab has changed something meanwhile', async () => {
    const request = new Request(new URL('/api/x', location.origin));
    begin('/sql');
    await waitFor(() => expect(asked).toContain('/api/auth/me'));
    sendEarly('/api/x', () => Promise.resolve(Response.json(1)));
    const heard = new Promise<void>((resolve) => { onTabNews(() => resolve()); });
    const other = new BroadcastChannel('sextant');
    other.postMessage({ kind: 'chats' });
    await heard;
    other.close();
    expect(await takeEarly(request)).toBeNull();
  });

  it('also says that there is no such thing, but no other error', async () => {
    const request = () => new Request(new URL('/api/x', location.origin));
    const send = (status: number) => sendEarly('/api/x', () => Promise.resolve(Response.json({}, { status })));
    send(404);
    expect((await takeEarly(request()))?.status).toBe(404);
    send(503);
    expect(await takeEarly(request())).toBeNull();
  });
});
