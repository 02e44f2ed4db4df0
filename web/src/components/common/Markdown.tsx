import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Children, memo, use, useMemo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { AskContext } from './askContext';
import { CodeBlock } from './CodeBlock';

const IMAGE = /^data:image\/(png|jpeg);base64,/;

/** Images from other hosts would let those hosts track the reader. */
const schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: ['data'] },
};

/** An example question can be asked by a click. */
function Item({ children }: { children?: ReactNode }) {
  const askable = use(AskContext);
  const parts = Children.toArray(children);
  const text = parts.length === 1 && typeof parts[0] === 'string' ? parts[0].trim() : '';
  if (!text || !askable?.questions.has(text)) return <li>{children}</li>;
  return <li><Link component="button" type="button" onClick={() => askable.ask(text)} sx={{ font: 'inherit', textAlign: 'left', verticalAlign: 'baseline' }}>{text}</Link></li>;
}

const components: Components = {
  li: ({ children }) => <Item>{children}</Item>,
  a: ({ href, children }) => (
    <Link href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </Link>
  ),
  img: ({ src, alt }) =>
    typeof src === 'string' && IMAGE.test(src) ? (
      <img src={src} alt={alt || 'Chart of the answer'} style={{ maxWidth: '100%' }} />
    ) : (
      <em>[image left out{alt ? `: ${alt}` : ''}]</em>
    ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-(\w+)/.exec(className ?? '')?.[1];
    if (language || text.includes('\n')) return <CodeBlock code={text} language={language} />;
    return (
      <Box component="code" sx={{ bgcolor: 'action.hover', px: 0.5, borderRadius: 0.5, fontSize: '0.9em' }}>
        {children}
      </Box>
    );
  },
  table: ({ children }) => (
    <Box className="table" tabIndex={0} role="group" aria-label="Table"><table>{children}</table></Box>
  ),
};

/** Table cells are plain elements: a long chat has thousands of them. */
const SX = {
  overflowWrap: 'anywhere', lineHeight: 1.6,
  '& > :first-of-type': { mt: 0 }, '& > :last-child': { mb: 0 },
  '& h1, & h2, & h3, & h4, & h5, & h6': { fontSize: '1.1rem', mt: 2, mb: 1 },
  '& ul, & ol': { pl: 3 },
  '& .table': { my: 1.5, width: 'fit-content', maxWidth: '100%', overflowX: 'auto', border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' },
  '& table': { borderCollapse: 'collapse', fontSize: '0.875rem', lineHeight: 1.43 },
  '& th, & td': { px: 2, py: 0.75, textAlign: 'left', borderBottom: 1, borderColor: 'divider', fontVariantNumeric: 'tabular-nums', overflowWrap: 'normal' },
  '& th': { fontWeight: 600 },
  '& tr:last-child td': { borderBottom: 0 },
} as const;

interface MarkdownProps {
  children: string;
  /** The level of the heading above the text: its own headings are below it. 0: they stay as they are. */
  below?: number;
}

function headingsBelow(level: number): Components {
  return Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`h${n}`, `h${Math.min(6, n + level)}`]));
}

/** Renders the text of a model as Markdown, never as HTML. */
export const Markdown = memo(function Markdown({ children, below = 0 }: MarkdownProps) {
  const all = useMemo(() => ({ ...components, ...headingsBelow(below) }), [below]);
  return (
    <Box sx={SX}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={all}
        urlTransform={(url, key) => (key === 'src' && IMAGE.test(url) ? url : safeLink(url))}
      >
        {children}
      </ReactMarkdown>
    </Box>
  );
});

function safeLink(url: string): string {
  return /^(https?:|mailto:|#)/i.test(url) ? url : '';
}
