import Box from '@mui/material/Box';
import { lazy, memo, Suspense, type CSSProperties } from 'react';
import { useAfterwards } from '../../hooks/useAfterwards';
import { useDark } from '../../hooks/useDark';
import { CopyButton } from './CopyButton';
import { ErrorBoundary } from './ErrorBoundary';
import { OpenInConsole } from '../sql/OpenInConsole';
import { darkCode, lightCode } from '../../theme/codeThemes';

const HighlightedCode = lazy(() => import('./HighlightedCode'));

const NAMES: Record<string, string> = { sql: 'SQL', python: 'Python', json: 'JSON' };
/** Longer code is not highlighted: that would take too long. */
const HIGHLIGHTED = 20_000;

interface CodeBlockProps {
  code: string;
  language?: string;
  maxHeight?: number;
  /** The text is prose: wrap long lines. */
  wrap?: boolean;
}

/** Highlighted code in the page's theme, with a copy button. Highlighting takes long, so it is not repeated for the same code, and begins when the text is on the screen. */
export const CodeBlock = memo(function CodeBlock({ code, language = 'text', maxHeight = 400, wrap = false }: CodeBlockProps) {
  const dark = useDark();
  const text = code.replace(/\n$/, '');
  const isShown = useAfterwards(true, false);
  const isPlain = !isShown || language === 'text' || code.length > HIGHLIGHTED;
  /** A line of its own each, as highlighted: nothing moves. */
  const plain = text.split('\n').map((line, i) => <div key={i}>{line || '\n'}</div>);
  const what = NAMES[language] ?? 'text';
  return (
    <Box sx={{ position: 'relative', my: 1 }}>
      <Box sx={{ position: 'absolute', top: 4, right: 4, zIndex: 1 }}>
        <CopyButton text={code} what={what} />
      </Box>
      <Box
        component="pre"
        tabIndex={0}
        role="group"
        aria-label={what === 'text' ? 'Text' : what}
        style={(dark ? darkCode : lightCode).plain as CSSProperties}
        sx={{
          m: 0, p: 1.5, pr: 5, borderRadius: 1, border: 1, borderColor: 'divider',
          overflow: 'auto', maxHeight, fontSize: 13, lineHeight: 1.5,
          ...(wrap && { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
          fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
        }}
      >
        {isPlain ? plain : (
          <ErrorBoundary at={text} instead={() => plain}>
            <Suspense fallback={plain}><HighlightedCode code={text} language={language} /></Suspense>
          </ErrorBoundary>
        )}
      </Box>
      {language === 'sql' && <OpenInConsole sql={code} />}
    </Box>
  );
});
