import MoreVert from '@mui/icons-material/MoreVert';
import Refresh from '@mui/icons-material/Refresh';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { lazy, useState } from 'react';
import { Link } from 'react-router';
import type { BoardCard } from '../../api/types';
import type { Units } from '../../utils/units';
import { CodeBlock } from '../common/CodeBlock';
import { LazyPart } from '../common/LazyPart';

const CardBody = lazy(() => import('./CardBody'));

export const cardMenuId = (id: string) => `card-menu-${id}`;
const WIDTHS: [number, string][] = [[4, 'A third'], [6, 'Half'], [12, 'Full width']];

export interface CardActs {
  onRefresh: () => void;
  onEdit: () => void;
  onWidth: (width: number) => void;
  /** -1: earlier, 1: later; absent at the end of the board. */
  onMove: Partial<Record<-1 | 1, () => void>>;
  onRemove: () => void;
}

interface CardViewProps {
  card: BoardCard;
  /** Undefined for those who may only read. */
  acts?: CardActs;
  refreshing: boolean;
  units: Units;
}

type View = 'chart' | 'rows' | 'sql';

function CardMenu({ card, acts, view, onView }: { card: BoardCard; acts?: CardActs; view: View; onView: (view: View) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { [-1]: earlier, 1: later } = acts?.onMove ?? {};
  const item = (name: string, act: () => void, selected = false) => (
    <MenuItem key={name} selected={selected} onClick={() => { setAnchor(null); act(); }}>{name}</MenuItem>
  );
  return (
    <>
      <Tooltip title="More">
        <IconButton id={cardMenuId(card.id)} size="small" aria-label={`More for ${card.title}`} aria-haspopup="menu" onClick={(e) => setAnchor(e.currentTarget)}>
          <MoreVert fontSize="small" />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {card.chart && item('Chart', () => onView('chart'), view === 'chart')}
        {item('Rows', () => onView('rows'), view === 'rows')}
        {item('SQL', () => onView('sql'), view === 'sql')}
        {card.chatId && <MenuItem component={Link} to={`/agent/${card.chatId}#m-${card.messageId}`}>Open the answer</MenuItem>}
        {acts && <Divider />}
        {acts && item('Title and chart…', acts.onEdit)}
        {earlier && item('Move earlier', earlier)}
        {later && item('Move later', later)}
        {acts && WIDTHS.map(([width, name]) => item(name, () => acts.onWidth(width), card.width === width))}
        {acts && <Divider />}
        {acts && item('Remove', acts.onRemove)}
      </Menu>
    </>
  );
}

function Problem({ card }: { card: BoardCard }) {
  if (card.state === 'fresh' || !card.problem) return null;
  const stale = card.state === 'stale';
  return (
    <Alert severity={stale ? 'warning' : 'error'} sx={{ py: 0, overflowWrap: 'anywhere' }}>
      {stale ? 'Its query no longer fits the data and is not run: ' : 'It could not be refreshed: '}{card.problem}
    </Alert>
  );
}

/** A pinned answer: title, chart or rows, and when its rows were read. */
export function CardView({ card, acts, refreshing, units }: CardViewProps) {
  const [wanted, setWanted] = useState<View | null>(null);
  const view = wanted ?? (card.chart ? 'chart' : 'rows');
  const titleId = `card-title-${card.id}`;
  return (
    <Paper component="li" variant="outlined" aria-labelledby={titleId} aria-busy={refreshing}
      sx={{ gridColumn: { xs: '1 / -1', md: `span ${card.width}` }, p: 1.5, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.5 }}>
        <Typography id={titleId} variant="subtitle1" component="h2" sx={{ flex: 1, minWidth: 0, fontWeight: 600, lineHeight: 1.3, pt: 0.75, overflowWrap: 'anywhere' }}>{card.title}</Typography>
        {acts && (
          <Tooltip title="Refresh">
            <span>
              <IconButton size="small" aria-label={`Refresh ${card.title}`} disabled={card.state === 'stale'} aria-disabled={refreshing || undefined}
                onClick={refreshing ? undefined : acts.onRefresh}>
                {refreshing ? <CircularProgress size={18} aria-label="Refreshing" /> : <Refresh fontSize="small" />}
              </IconButton>
            </span>
          </Tooltip>
        )}
        <CardMenu card={card} acts={acts} view={view} onView={setWanted} />
      </Box>
      <Problem card={card} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {view === 'sql' ? <CodeBlock code={card.sql} language="sql" maxHeight={320} /> : (
          <LazyPart fallback={<Skeleton variant="rounded" height={280} />}><CardBody card={card} asTable={view === 'rows'} units={units} /></LazyPart>
        )}
      </Box>
      <Typography variant="caption" color="textSecondary" component="p">
        {[card.ontologyName, `rows of ${new Date(card.rowsAt).toLocaleString()}`, card.period && `its dates are those of ${card.period}`].filter(Boolean).join(' · ')}
      </Typography>
    </Paper>
  );
}
