import Box from '@mui/material/Box';
import { Highlight } from 'prism-react-renderer';
import { memo } from 'react';
import { useDark } from '../../hooks/useDark';
import { CopyButton } from './CopyButton';
import { OpenInConsole } from '../sql/OpenInConsole';
import { darkCode, lightCode } from '../../theme/codeThemes';

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

/** Highlighted code in the page's theme, with a copy button. Highlighting takes long, so it is not repeated for the same code. */
export const CodeBlock = memo(function CodeBlock({ code, language = 'text', maxHeight = 400, wrap = false }: CodeBlockProps) {
  const dark = useDark();
  const what = NAMES[language] ?? 'text';
  return (
    <Box sx={{ position: 'relative', my: 1 }}>
      <Box sx={{ position: 'absolute', top: 4, right: 4, zIndex: 1 }}>
        <CopyButton text={code} what={what} />
      </Box>
      <Highlight
        code={code.replace(/\n$/, '')}
        language={code.length > HIGHLIGHTED ? 'text' : language}
        theme={dark ? darkCode : lightCode}
      >
        {({ style, tokens, getLineProps, getTokenProps }) => (
          <Box
            component="pre"
            tabIndex={0}
            role="group"
            aria-label={what === 'text' ? 'Text' : what}
            style={style}
            sx={{
              m: 0, p: 1.5, pr: 5, borderRadius: 1, border: 1, borderColor: 'divider',
              overflow: 'auto', maxHeight, fontSize: 13, lineHeight: 1.5,
              ...(wrap && { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
              fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
            }}
          >
            {tokens.map((line, i) => (
              <div key={i} {...getLineProps({ line })}>
                {line.map((token, k) => (
                  <span key={k} {...getTokenProps({ token })} />
                ))}
              </div>
            ))}
          </Box>
        )}
      </Highlight>
      {language === 'sql' && <OpenInConsole sql={code} />}
    </Box>
  );
});
