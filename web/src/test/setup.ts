import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { media } from './media';

// Tests must not fail on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** jsdom has no layout, media queries or observers. These stubs describe a wide window. */
window.matchMedia ??= (query: string) => media(query, query.includes('min-width'));
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
