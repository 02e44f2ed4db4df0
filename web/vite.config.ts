import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compress } from './compress.ts';

const built = fileURLToPath(new URL('../static/app', import.meta.url));

export default defineConfig({
  base: '/app/',
  plugins: [react(), compress(built)],
  build: {
    outDir: built,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page needs at once is compressed better as one file than as twenty.
        codeSplitting: { groups: [{ name: 'shell', test: /node_modules\/(react-dom|@mui\/material\/(Alert|AlertTitle|Dialog\w*|TextField|Button|Box))\/|src\/components\/common\/(LazyPart|PartFailed|ErrorBoundary)\./ }] },
      },
    },
  },
  server: { proxy: { '/api': process.env.SEXTANT_URL ?? 'http://127.0.0.1:8080' } },
  test: {
    environment: 'jsdom',
    globals: true,
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    testTimeout: 60_000,
    // Imports take longer than the tests: do them once for all files.
    isolate: false,
    maxWorkers: 1,
  },
});
