import Close from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../api/errors';
import { PageFrame } from '../components/common/PageFrame';
import { Fold } from '../components/common/Fold';
import { useDrop } from '../components/files/FileDrop';
import { FilePick } from '../components/explore/FilePick';
import { ShareSwitch } from '../components/explore/ShareSwitch';
import { TurnView } from '../components/explore/TurnView';
import { useExploration } from '../hooks/useExploration';
import { useMay } from '../hooks/useSession';
import type { BrowserTable } from '../utils/browserTable';
import type { Share } from '../utils/disclosure';

const SAMPLE = '/app/samples/rentals.csv';
const QUESTION_MOST = 10_000;

/** On paper: the page without its frame and its buttons, at full length. */
const PRINT = {
  '@media print': {
    'header, .no-print': { display: 'none !important' },
    'html, body, #root, #root > div, main': { height: 'auto !important', overflow: 'visible !important', display: 'block !important' },
    'pre, .MuiPaper-root': { maxHeight: 'none !important', overflow: 'visible !important' },
  },
};

function FileHead({ table, onClose }: { table: BrowserTable; onClose: () => void }) {
  return (
    <Box component="section" aria-label="The file">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <strong>{table.file.name}</strong>: {table.rowCount.toLocaleString('en-US')} rows, {table.columns.length} columns, in this browser only
        </Typography>
        <Button className="no-print" size="small" startIcon={<Close />} onClick={onClose}>Close the file</Button>
      </Box>
      <Fold level={2} title={<Typography variant="body2">Columns</Typography>}>
        <Box component="ul" sx={{ m: 0, pl: 3, columns: { sm: 2 }, maxHeight: 300, overflow: 'auto' }} tabIndex={0} role="group" aria-label="Columns">
          {table.columns.map(({ name, type }) => (
            <Typography key={name} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {name} <Typography component="span" variant="caption" color="textSecondary">{type}</Typography>
            </Typography>
          ))}
        </Box>
      </Fold>
    </Box>
  );
}

interface ExplorerProps {
  table: BrowserTable;
  onClose: () => void;
  onStartOver: () => void;
}

function Explorer({ table, onClose, onStartOver }: ExplorerProps) {
  const { turns, shown, busy, reveal, ask, stop, writeReport } = useExploration(table);
  const [share, setShare] = useState<Share>('aggregates');
  const [question, setQuestion] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  const { enqueueSnackbar } = useSnackbar();
  // Without it, the browser would leave the page for the dropped file.
  const complain = () => void enqueueSnackbar('Close the file before you open another one.', { variant: 'info' });
  useDrop(complain, complain);
  const followUp = useCallback(() => input.current?.focus(), []);
  const again = useCallback((text: string) => ask(text, share), [ask, share]);
  const send = () => {
    const text = question.trim();
    if (!text || busy) return;
    setQuestion('');
    ask(text, share);
  };
  return (
    <>
      <FileHead table={table} onClose={onClose} />
      {turns.map((turn, i) => (
        <TurnView key={turn.id} turn={turn} shown={shown} columns={table.columns} reveal={reveal} busy={busy} last={i === turns.length - 1} fileName={table.file.name}
          onStop={stop} onAgain={again} onReport={writeReport} onFollowUp={followUp} onStartOver={onStartOver} />
      ))}
      <Box className="no-print" component="form" aria-label="Question" sx={{ display: 'grid', gap: 1.5 }}
        onSubmit={(event) => { event.preventDefault(); send(); }}>
        <ShareSwitch share={share} onShare={setShare} disabled={busy} />
        <TextField multiline minRows={2} maxRows={8} label="Your question" value={question} inputRef={input} autoFocus
          placeholder={turns.length > 0 ? 'Ask a follow-up question' : 'What would you like to know about this file?'}
          onChange={(e) => setQuestion(e.target.value)}
          onKeyDown={(e) => { if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) { e.preventDefault(); send(); } }}
          slotProps={{ htmlInput: { maxLength: QUESTION_MOST } }} />
        <Box><Button type="submit" variant="contained" disabled={busy}>Explore</Button></Box>
      </Box>
    </>
  );
}

/** Explores a file that stays in this browser. */
export default function ExplorePage() {
  const may = useMay('data_agent:write');
  const [table, setTable] = useState<BrowserTable | null>(null);
  const [loading, setLoading] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const open = useRef<BrowserTable | null>(null);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      open.current?.close();
    };
  }, []);

  const load = async (name: string, get: () => Promise<File>) => {
    if (loading !== null) return;
    setError(null);
    setLoading(name);
    try {
      const file = await get();
      const { BrowserTable: Table } = await import('../utils/browserTable');
      const made = await Table.open(file);
      if (gone.current) return made.close();
      open.current = made;
      setTable(made);
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setLoading(null);
    }
  };
  const close = () => {
    open.current?.close();
    open.current = null;
    setTable(null);
  };
  const sample = async () => {
    const response = await fetch(SAMPLE);
    if (!response.ok) throw new Error('The sample file is not available.');
    return new File([await response.blob()], 'rentals.csv');
  };
  return (
    <PageFrame title="Explore a file">
      <GlobalStyles styles={PRINT} />
      {!may && <Alert severity="info">You may read chats, but not ask questions. An admin can give you the role contributor.</Alert>}
      {may && !table && (
        <FilePick loading={loading} error={error} onError={setError}
          onFile={(file) => void load(file.name, () => Promise.resolve(file))} onSample={() => void load('rentals.csv', sample)} />
      )}
      {may && table && <Explorer key={round} table={table} onClose={close} onStartOver={() => setRound((n) => n + 1)} />}
    </PageFrame>
  );
}
