/** What is requested before the page is loaded: the session, and the data that its address shows. */
import { forgetEarly, sendEarly } from './early';
import { authorizedFetch, resumeEarly } from './session';
import { onTabNews } from './tabs';

const CHAT = /^\/agent\/([0-9a-f-]{36})\/?$/;

/** As the hooks of the page request them: `begin.test.tsx` compares. */
const ALWAYS = ['/api/auth/me', '/api/user-settings'];
const OF_CHATS = [
  '/api/data-agent/chats?page=1&pageSize=50&sortBy=updatedAt&sortOrder=desc',
  '/api/ontologies?page=1&pageSize=100',
];

export function chatOf(pathname: string): string | undefined {
  return CHAT.exec(pathname)?.[1];
}

export function pathsOf(pathname: string): string[] {
  const chat = chatOf(pathname);
  if (chat) return [`/api/data-agent/chats/${chat}`, ...ALWAYS, ...OF_CHATS, '/api/llm/providers'];
  return pathname === '/' || pathname === '/agent' ? [...ALWAYS, ...OF_CHATS] : ALWAYS;
}

/** Fetches the files of a part of the page, which `preload.ts` lists, together with the page's own. */
function fetchChunks(name: string): void {
  const listed = document.querySelector<HTMLMetaElement>(`meta[name="chunks-of-${name}"]`);
  for (const href of listed?.content.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
}

export function begin(pathname: string): void {
  if (pathname.startsWith('/share/')) return; // a link needs no account
  onTabNews(forgetEarly); // while the page is loaded, its own code cannot hear them
  resumeEarly().then(
    (signedIn) => signedIn && pathsOf(pathname).forEach((path) => sendEarly(path, authorizedFetch)),
    () => undefined, // the page asks again
  );
  if (chatOf(pathname)) fetchChunks('ChatPane');
}
