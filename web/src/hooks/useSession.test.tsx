import { act, renderHook, waitFor } from '@testing-library/react';
import { resume } from '../api/session';
import { useSignedIn } from './useSession';

const SESSION = { data: { signedIn: true, accessToken: 't', expiresIn: 3600 } };
let answers: (Response | TypeError)[];

async function pass(seconds: number) {
  for (let s = 0; s < seconds; s++) await act(() => vi.advanceTimersByTimeAsync(1000));
}

/** With all states that were rendered: on a slow machine the next one may be there before a look. */
function renderSignedIn() {
  const states: string[] = [];
  const hook = renderHook(() => {
    const signedIn = useSignedIn();
    states.push(signedIn.state);
    return signedIn;
  });
  return { ...hook, states };
}

beforeEach(async () => {
  // Tests share modules: an answer that another file asked for early would be taken here.
  vi.stubGlobal('fetch', vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))));
  await resume().catch(() => undefined);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('fetch', vi.fn(() => {
    const next = answers.shift() ?? new TypeError('Failed to fetch');
    return next instanceof Response ? Promise.resolve(next) : Promise.reject(next);
  }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('useSignedIn', () => {
  it('asks a server that is away again, until it is there', async () => {
    answers = [new TypeError(), new TypeError(), Response.json({}, { status: 503 }), Response.json(SESSION)];
    const { states, result } = renderSignedIn();
    await waitFor(() => expect(states).toContain('unreachable'));
    await pass(20);
    expect(result.current.state).toBe('yes');
    expect(answers).toEqual([]);
    await pass(60);
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  it('asks at once when the network is there again', async () => {
    answers = [new TypeError(), Response.json({ data: { signedIn: false, accessToken: null, expiresIn: null } })];
    const { states, result } = renderSignedIn();
    await waitFor(() => expect(states).toContain('unreachable'));
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(result.current.state).toBe('no'));
  });

  it('asks ever less often, and no more once nobody is there to know', async () => {
    answers = [];
    const { states, unmount } = renderSignedIn();
    await waitFor(() => expect(states).toContain('unreachable'));
    await pass(120);
    const tries = vi.mocked(fetch).mock.calls.length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(30);
    unmount();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(tries);
  });
});
