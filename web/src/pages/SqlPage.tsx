import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { SavedQuery } from '../api/sql';
import { OntologySelect } from '../components/chat/OntologySelect';
import { ErrorCard } from '../components/common/ErrorCard';
import { Fold } from '../components/common/Fold';
import { LazyPart } from '../components/common/LazyPart';
import { PageFrame } from '../components/common/PageFrame';
import { PlanTree } from '../components/sql/PlanTree';
import { QueryHistory } from '../components/sql/QueryHistory';
import { SaveDialog } from '../components/sql/SaveDialog';
import { SavedQueries } from '../components/sql/SavedQueries';
import type { EditorHandle } from '../components/sql/SqlEditor';
import { SqlResultView, Warnings } from '../components/sql/SqlResultView';
import { useDraft, writeDraft } from '../hooks/useDraft';
import { useGraphOf } from '../hooks/useModelGraph';
import { useLlmProviders } from '../hooks/useLlmProviders';
import { useOntologies } from '../hooks/useOntologies';
import { useMay } from '../hooks/useSession';
import { useSqlConsole, type Ran } from '../hooks/useSqlConsole';
import { useSqlFunctions, useSqlQueries } from '../hooks/useSqlQueries';
import { namesOf, offsetOf } from '../utils/sqlCompletion';
import { questionAbout } from '../utils/sqlQuestion';
import { unitsOf } from '../utils/units';

const SqlEditor = lazy(() => import('../components/sql/SqlEditor'));

interface ProblemProps {
  error: unknown;
  place: { line: number; column: number; hint: string } | null;
  onGo: () => void;
}

/** What is wrong, and where. */
function Problem({ error, place, onGo }: ProblemProps) {
  return (
    <ErrorCard title="The query did not run" error={error}>
      {place && place.hint && <Typography variant="body2">{place.hint}</Typography>}
      {place && place.line > 0 && (
        <Button size="small" color="inherit" onClick={onGo} sx={{ px: 0 }}>Line {place.line}, column {place.column}</Button>
      )}
    </ErrorCard>
  );
}

/** A query that another page hands over, once: it becomes the text, and Ctrl+Z brings back the former one. */
function useHandedSql(take: (sql: string) => void, ready: boolean) {
  const location = useLocation();
  const navigate = useNavigate();
  const sql = (location.state as { sql?: string } | null)?.sql;
  useEffect(() => {
    if (!sql || !ready) return;
    void navigate(location, { replace: true, state: null });
    take(sql);
  }, [sql, ready, take, location, navigate]);
}

function Console({ ontologyId }: { ontologyId: string }) {
  const [draft, setDraft] = useDraft(`sql:${ontologyId}`);
  const { ran, busy, start, stop, problem } = useSqlConsole(ontologyId);
  const saved = useSqlQueries(ontologyId);
  const graph = useGraphOf(ontologyId);
  const functions = useSqlFunctions();
  const { providers } = useLlmProviders();
  // The built-in analyst reads words, not SQL.
  const mayAsk = providers.some(({ id }) => id !== 'builtin');
  const navigate = useNavigate();
  const names = useMemo(() => namesOf(graph, functions), [graph, functions]);
  const units = useMemo(() => unitsOf(graph), [graph]);
  const [name, setName] = useState('');
  const [saving, setSaving] = useState(false);
  const [mounted, setMounted] = useState(false);
  const editor = useRef<EditorHandle>(null);
  const attach = useCallback((handle: EditorHandle | null) => {
    editor.current = handle;
    setMounted(handle !== null);
  }, []);
  const open = useCallback((sql: string, title = '') => {
    editor.current?.replace(sql);
    setName(title);
  }, []);
  useHandedSql(open, mounted);
  const run = (kind: 'run' | 'explain') => {
    if (draft.trim()) void start(kind, draft);
    else editor.current?.focus();
  };
  const placed = useMemo(
    () => (problem && ran && problem.position > 0 && ran.error instanceof Error ? { at: offsetOf(ran.sql, problem.position), message: ran.error.message } : null),
    [problem, ran],
  );
  const askAbout = (sql: string) => {
    writeDraft('new', questionAbout(sql));
    void navigate(`/agent?ontology=${encodeURIComponent(ontologyId)}`);
  };
  return (
    <>
      <LazyPart fallback={<Skeleton variant="rounded" height={162} />}>
        <SqlEditor ref={attach} initial={draft} names={names} problem={placed && ran?.sql === draft ? placed : null} onChange={setDraft} onRun={() => run('run')} />
      </LazyPart>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {busy ? <Button variant="outlined" onClick={stop}>Stop</Button> : <Button variant="contained" onClick={() => run('run')}>Run</Button>}
        <Button onClick={() => run('explain')}>Explain</Button>
        <Button onClick={() => { saved.add.reset(); if (draft.trim()) setSaving(true); }}>Save</Button>
        <Typography variant="caption" color="textSecondary" role="status" sx={{ ml: 'auto' }}>
          {busy === 'run' ? 'Running…' : busy === 'explain' ? 'Planning…' : 'Ctrl+Enter runs, Ctrl+Space completes. Only queries that read.'}
        </Typography>
      </Box>
      {ran?.error !== undefined && (
        <Problem error={ran.error} place={problem} onGo={() => placed && editor.current?.goTo(placed.at)} />
      )}
      {ran?.plan && <><Warnings warnings={ran.plan.warnings} /><PlanTree plan={ran.plan} /></>}
      {ran?.result && (
        <SqlResultView ran={ran as Ran & { result: NonNullable<Ran['result']> }} name={name} units={units}
          actions={mayAsk && <Button size="small" onClick={() => askAbout(ran.sql)}>Ask about this result</Button>} />
      )}
      <Fold level={2} framed open title={<Typography>Saved queries</Typography>}>
        <SavedQueries saved={saved} onOpen={(query: SavedQuery) => open(query.sql, query.name)} />
      </Fold>
      <Fold level={2} framed title={<Typography>History</Typography>}>
        <QueryHistory ontologyId={ontologyId} onOpen={(sql) => open(sql)} />
      </Fold>
      {saving && (
        <SaveDialog name="" shared={false} error={saved.add.error} saving={saved.add.isPending} onClose={() => setSaving(false)}
          onSave={(title, shared) => saved.add.mutate({ ontologyId, name: title, sql: draft, shared }, {
            onSuccess: () => { setName(title); setSaving(false); },
          })} />
      )}
    </>
  );
}

/** A person's own queries over the data of an ontology. */
export default function SqlPage() {
  const may = useMay('data_agent:write');
  const { ready, isLoading, error } = useOntologies();
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const wanted = ready.find(({ id }) => id === params.get('ontology')) ?? ready[0];
  return (
    <PageFrame title="SQL console">
      {!may && <Alert severity="info">You may read chats, but not run queries. An admin can give you the role contributor.</Alert>}
      {Boolean(error) && <ErrorCard title="The ontologies could not be read" error={error} />}
      {may && !isLoading && !error && !wanted && (
        <Alert severity="info" action={<Button component={Link} to="/settings/data" color="inherit" size="small">Data</Button>}>No data is ready to be queried yet.</Alert>
      )}
      {may && wanted && (
        <>
          {ready.length > 1 && (
            <Box sx={{ maxWidth: 420 }}>
              <OntologySelect ontologies={ready} value={wanted.id} onChange={(id) => setParams({ ontology: id }, { replace: true, state: location.state as unknown })} />
            </Box>
          )}
          <Console key={wanted.id} ontologyId={wanted.id} />
        </>
      )}
    </PageFrame>
  );
}
