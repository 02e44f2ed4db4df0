import { Highlight } from 'prism-react-renderer';
import { useDark } from '../../hooks/useDark';
import { darkCode, lightCode } from '../../theme/codeThemes';

/** The lines of a code block in colors. A chunk of its own: the grammars take long to load. */
export default function HighlightedCode({ code, language }: { code: string; language: string }) {
  const dark = useDark();
  return (
    <Highlight code={code} language={language} theme={dark ? darkCode : lightCode}>
      {({ tokens, getLineProps, getTokenProps }) => tokens.map((line, i) => (
        <div key={i} {...getLineProps({ line })}>
          {line.map((token, k) => (
            <span key={k} {...getTokenProps({ token })} />
          ))}
        </div>
      ))}
    </Highlight>
  );
}
