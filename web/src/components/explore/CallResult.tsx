import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { QueryShown } from '../../hooks/useExploration';
import type { LocalResult } from '../../utils/disclosure';
import { reasonOf, TOOL_NAMES, type Call } from '../../utils/exploration';
import { issuesOf, profileTable, verdictOf, verdictText } from '../../utils/toolOutput';
import type { TableColumn } from '../../utils/aggregateQuery';
import { kindOf, type Rows } from '../../utils/rows';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';
import ResultGrid from '../results/ResultGrid';
import { IssuesView, VerdictView } from './ToolAnswer';

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
function Output({ output, level }: { output: unknown; level: 4 | 5 }) {
  const text = useMemo(() => JSON.stringify(output, null, 2) ?? '', [output]);
  return (
    <Fold level={level} title={<Typography variant="body2">What the language model got</Typography>}>
      <CodeBlock code={text.length > OUTPUT_MOST ? `${text.slice(0, OUTPUT_MOST)}\n…` : text} language="json" maxHeight={300} wrap />
    </Fold>
  );
}

interface QueriesProps {
  queries: QueryShown[];
  label: string;
  /** The server wrote them: they are not what a person wants to read first. */
  folded: boolean;
  level: 4 | 5;
}

function Queries({ queries, label, folded, level }: QueriesProps) {
  const all = queries.map((query) => <QueryResult key={query.id} query={query} label={label || query.id} />);
  if (!folded || all.length === 0) return all;
  const title = `${all.length} ${all.length === 1 ? 'query' : 'queries'} and what came back`;
  return <Fold level={level} title={<Typography variant="body2">{title}</Typography>}>{all}</Fold>;
}

/** A profile: one row for each column, and what looks wrong. */
function ProfileView({ call, queries, columns }: { call: Call; queries: QueryShown[]; columns: TableColumn[] }) {
  const rows = useMemo(() => {
    const table = profileTable(queries, columns);
    return table && rowsOf(table);
  }, [queries, columns]);
  const issues = issuesOf(call.output);
  return (
    <>
      {issues.length > 0 && <IssuesView issues={issues} />}
      {rows && <Box sx={{ mb: 1 }}><ResultGrid rows={rows} label="Profile of the columns" /></Box>}
    </>
  );
}

interface CallResultProps {
  /** Of its heading. */
  level: 3 | 4;
  call: Call;
  queries: QueryShown[];
  /** Of the file. */
  columns: TableColumn[];
  reveal: (text: string) => string;
}

function stateOf(call: Call): { text: string; bad: boolean } {
  if (call.state === 'running') return { text: 'Running', bad: false };
  if (call.state === 'failed') return { text: 'Failed', bad: true };
  const verdict = call.tool === 'validateAnalysis' ? verdictOf(call.output) : null;
  return verdict ? { text: verdictText(verdict), bad: !verdict.passed } : { text: 'Done', bad: false };
}

/** A tool call: what it is for, its state, and its queries with their results in this browser. */
export function CallResult({ level, call, queries, columns, reveal }: CallResultProps) {
  const name = TOOL_NAMES[call.tool] ?? call.tool;
  const reason = reveal(reasonOf(call));
  const state = stateOf(call);
  const verdict = call.tool === 'validateAnalysis' ? verdictOf(call.output) : null;
  const below = level === 3 ? 4 : 5;
  const builtByServer = call.tool === 'profileData' || call.tool === 'validateAnalysis';
  return (
    <Fold framed level={level} title={(
      <>
        <Chip size="small" label={name} variant="outlined" />
        <Typography variant="body2" sx={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>{reason}</Typography>
        {call.state === 'running' && <CircularProgress size={14} aria-hidden />}
        <Typography variant="caption" color={state.bad ? 'error' : 'textSecondary'} sx={{ textAlign: 'right' }}>{state.text}</Typography>
      </>
    )}>
      {call.error && <Alert severity="warning" variant="outlined" sx={{ mb: 1, overflowWrap: 'anywhere' }}>{reveal(call.error)}</Alert>}
      {verdict && <VerdictView verdict={verdict} />}
      {call.tool === 'profileData' && <ProfileView call={call} queries={queries} columns={columns} />}
      <Queries queries={queries} label={reason ? `${name}: ${reason}` : ''} folded={builtByServer} level={below} />
      {call.output !== null && <Output output={call.output} level={below} />}
      {queries.length === 0 && call.state !== 'running' && !call.error && <Typography variant="body2">It ran no query.</Typography>}
    </Fold>
  );
}
