import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { QueryShown } from '../../hooks/useExploration';
import type { LocalResult } from '../../utils/disclosure';
import { reasonOf, TOOL_NAMES, type Call } from '../../utils/exploration';
import { kindOf, type Rows } from '../../utils/rows';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';
import ResultGrid from '../results/ResultGrid';

function rowsOf({ columns, types, rows }: LocalResult): Rows {
  const names = columns.map((name, i) => (columns.indexOf(name) === i ? name : `${name} (${i + 1})`));
  return {
    columns: names.map((name, i) => ({ name, type: types[i]!, kind: kindOf(types[i]!) })),
    rows: rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]))),
    total: rows.length,
    truncated: false, // that note is about rows of a server
  };
}

function QueryResult({ query, label }: { query: QueryShown; label: string }) {
  const rows = useMemo(() => query.result && rowsOf(query.result), [query.result]);
  const more = query.result?.truncated;
  return (
    <Box sx={{ mb: 1 }}>
      {query.sql && <CodeBlock code={query.sql} language="sql" maxHeight={200} wrap />}
      {query.error && <Alert severity="warning" variant="outlined" sx={{ overflowWrap: 'anywhere' }}>{query.error}</Alert>}
      {rows && <ResultGrid rows={rows} label={label} />}
      {more && <Typography variant="caption" color="textSecondary">There are more rows.</Typography>}
    </Box>
  );
}

/** Longer outputs are cut. */
const OUTPUT_MOST = 20_000;

/** The tool's answer as it is, with stand-ins. */
function Output({ output }: { output: unknown }) {
  const text = useMemo(() => JSON.stringify(output, null, 2) ?? '', [output]);
  return (
    <Fold level={5} title={<Typography variant="body2">What the language model got</Typography>}>
      <CodeBlock code={text.length > OUTPUT_MOST ? `${text.slice(0, OUTPUT_MOST)}\n…` : text} language="json" maxHeight={300} wrap />
    </Fold>
  );
}

interface CallResultProps {
  call: Call;
  queries: QueryShown[];
  reveal: (text: string) => string;
}

/** A tool call: what it is for, its state, and its queries with their results in this browser. */
export function CallResult({ call, queries, reveal }: CallResultProps) {
  const name = TOOL_NAMES[call.tool] ?? call.tool;
  const reason = reveal(reasonOf(call));
  const state = call.state === 'running' ? 'Running' : call.state === 'done' ? 'Done' : 'Failed';
  return (
    <Fold framed level={4} title={(
      <>
        <Chip size="small" label={name} variant="outlined" />
        <Typography variant="body2" sx={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>{reason}</Typography>
        {call.state === 'running' && <CircularProgress size={14} aria-hidden />}
        <Typography variant="caption" color={call.state === 'failed' ? 'error' : 'textSecondary'}>{state}</Typography>
      </>
    )}>
      {call.error && <Alert severity="warning" variant="outlined" sx={{ mb: 1, overflowWrap: 'anywhere' }}>{reveal(call.error)}</Alert>}
      {queries.map((query) => <QueryResult key={query.id} query={query} label={`${name}: ${reason || query.id}`} />)}
      {call.output !== null && <Output output={call.output} />}
      {queries.length === 0 && call.state !== 'running' && !call.error && <Typography variant="body2">It ran no query.</Typography>}
    </Fold>
  );
}
