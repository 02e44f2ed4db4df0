import { authorizedFetch, login, logout } from './session';

let renewals: number;
let life: number;

beforeEach(() => {
  renewals = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', vi.fn((to: Request | string) => {
    if (to === '/api/auth/session') renewals++;
    return Promise.resolve(Response.json({ data: { signedIn: true, accessToken: `t${renewals}`, expiresIn: life } }));
  }));
});
afterEach(async () => {
  await logout();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function ask(afterSeconds: number) {
  vi.advanceTimersByTime(afterSeconds * 1000);
  await authorizedFetch('/api/anything');
}

describe('session', () => {
  it.each([[3600, 3560, 20], [5, 3, 1.5]])('renews a token of %i s shortly before it ends, once', async (lives, early, late) => {
    life = lives;
    await login('ann@example.org', 'password');
    await ask(0);
    await ask(early);
    expect(renewals).toBe(0);
    await ask(late);
    await ask(0);
    expect(renewals).toBe(1);
  });
});
