import { act, renderHook } from '@testing-library/react';
import { useElapsedTimer } from './useElapsedTimer';

describe('useElapsedTimer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('should update timer every second when active', () => {
    const { result } = renderHook(() => useElapsedTimer(995_000, true));
    expect(result.current).toBe('0:05');
    act(() => vi.advanceTimersByTime(2000));
    expect(result.current).toBe('0:07');
  });

  it('should stop updating when inactive', () => {
    const { result } = renderHook(() => useElapsedTimer(995_000, false));
    act(() => vi.advanceTimersByTime(5000));
    expect(result.current).toBe('0:05');
  });
});
