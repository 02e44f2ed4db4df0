import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compress } from './compress.ts';
import { preload } from './preload.ts';

const built = fileURLToPath(new URL('../static/app', import.meta.url));

/** What every chat needs besides its own chunk, and other pages too. */
const ANSWER = new RegExp([
  'src/hooks/use(DataAgentPreferences|ModelGraph|TrustedAnswers|AllRows)\\.',
  'src/components/(preferences/(CaptureModeToggle|PreferenceList)|common/(Markdown|Missing|Fold|CodeBlock)|sql/(OpenInConsole|consoleContext))\\.',
  'src/components/results/(answerContext|Caveats|ChartImage|DataLineageFooter|LineageDetails|Verification\\w+)\\.',
  'src/(theme/codeThemes|utils/(units|blocks|periods|chartChoice|pythonRows|rows|filterRows|save|fileNames))\\.',
  '@mui/material/(Accordion\\w*|Collapse|ListItemIcon|Tabs?|ToggleButton\\w*)/',
  '@mui/icons-material/(CheckCircle|Close|DeleteOutlined|Download|ExpandMore|Fullscreen|RadioButtonUnchecked|Refresh)\\.',
].join('|'));

export default defineConfig({
  base: '/app/',
  plugins: [react(), preload('first', 'ChatPane'), compress(built)],
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
      input: { index: fileURLToPath(new URL('index.html', import.meta.url)), first: fileURLToPath(new URL('src/first.ts', import.meta.url)) },
      output: {
        // Files cost a request each: what is needed at once is compressed and fetched better as one file than as twenty.
        codeSplitting: {
          groups: [
            { name: 'session', priority: 3, test: /src\/(first|api\/(begin|session|early|errors|tabs))\.ts/ },
            { name: 'shell', priority: 2, test: /node_modules\/(react-dom|@mui\/material\/(Alert|AlertTitle|Dialog\w*|TextField|Button|Box))\/|src\/components\/common\/(LazyPart|PartFailed|ErrorBoundary)\./ },
            { name: 'page', priority: 1, tags: ['$initial'] },
            { name: 'answer', test: ANSWER },
          ],
        },
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
