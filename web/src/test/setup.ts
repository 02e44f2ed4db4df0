import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { media } from './media';

// A busy machine is no failure.
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** jsdom lays nothing out: it has no media and no observers. A wide window. */
window.matchMedia ??= (query: string) => media(query, query.includes('min-width'));
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
