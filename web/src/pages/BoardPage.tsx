import Download from '@mui/icons-material/Download';
import Refresh from '@mui/icons-material/Refresh';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { lazy, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { messageOf } from '../api/errors';
import type { BoardCard } from '../api/types';
import { CardView, cardMenuId, type CardActs } from '../components/boards/CardView';
import { NameDialog } from '../components/boards/NameDialog';
import { ConfirmDialog } from '../components/common/ConfirmDialog';
import { ErrorCard } from '../components/common/ErrorCard';
import { LazyPart } from '../components/common/LazyPart';
import { isMissing, Missing } from '../components/common/Missing';
import { PageFrame } from '../components/common/PageFrame';
import { useBoardUnits } from '../hooks/useBoardUnits';
import { useBoard, useBoardActs } from '../hooks/useBoards';
import { useKeyboardKept } from '../hooks/useKeyboardStays';
import { useMay } from '../hooks/useSession';
import { fileNameOf } from '../utils/fileNames';
import { saveBlob } from '../utils/save';

const EditCard = lazy(() => import('../components/boards/EditCard'));

const RENAME = 'rename-board';

type Asked = { kind: 'rename' } | { kind: 'remove' } | { kind: 'edit' | 'drop'; card: BoardCard };

function moved(cards: BoardCard[], at: number, by: -1 | 1): BoardCard[] {
  const next = [...cards];
  [next[at], next[at + by]] = [next[at + by]!, next[at]!];
  return next;
}

/** A board: its cards, which are refreshed together or one by one. */
export default function BoardPage() {
  const { boardId = '' } = useParams();
  const { board, change, refreshAll, refreshCard, changeCard, removeCard, arrange } = useBoard(boardId);
  const { remove } = useBoardActs();
  const { enqueueSnackbar } = useSnackbar();
  const navigate = useNavigate();
  const mayWrite = useMay('data_agent:write');
  const mayDelete = useMay('data_agent:delete');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const shown = board.data;
  const cards = shown?.cards ?? [];
  const unitsOf = useBoardUnits(cards);
  const keep = useKeyboardKept(cards);
  const say = (error: unknown) => void enqueueSnackbar(messageOf(error), { variant: 'error' });
  const close = () => setAsked(null);
  const refreshOne = (id: string) => {
    setBusy((before) => new Set(before).add(id));
    void refreshCard(id).catch(say).finally(() => setBusy((before) => new Set([...before].filter((one) => one !== id))));
  };
  const save = async () => {
    try {
      const { boardFile } = await import('../utils/boardFile');
      saveBlob(new Blob([await boardFile(shown!, unitsOf)], { type: 'text/html' }), fileNameOf(shown!.name, 'board', 'html'));
    } catch (error) {
      say(error);
    }
  };
  const actsOf = (card: BoardCard, at: number): CardActs => ({
    onRefresh: () => refreshOne(card.id),
    onEdit: () => setAsked({ kind: 'edit', card }),
    onWidth: (width) => arrange(cards.map((one) => (one.id === card.id ? { ...one, width } : one))),
    onMove: {
      ...(at > 0 && { [-1]: () => arrange(moved(cards, at, -1)) }),
      ...(at < cards.length - 1 && { 1: () => arrange(moved(cards, at, 1)) }),
    },
    onRemove: () => {
      const neighbour = cards[at + 1] ?? cards[at - 1];
      keep(neighbour ? cardMenuId(neighbour.id) : RENAME);
      setAsked({ kind: 'drop', card });
    },
  });
  const title = shown?.name ?? 'Board';
  return (
    <PageFrame title={title} back="/boards" wide>
      {isMissing(board.error) && <Missing what="board" to="/boards" way="To the boards" />}
      {board.error && !isMissing(board.error) && <ErrorCard title="The board could not be read" error={board.error} onRetry={() => void board.refetch()} />}
      {shown && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          {mayWrite && cards.length > 0 && (
            <Button variant="contained" startIcon={<Refresh />} aria-disabled={refreshAll.isPending}
              onClick={() => { if (!refreshAll.isPending) refreshAll.mutate(undefined, { onError: say }); }}>
              {refreshAll.isPending ? 'Refreshing…' : 'Refresh all'}
            </Button>
          )}
          {cards.length > 0 && <Button startIcon={<Download />} onClick={() => void save()}>HTML file</Button>}
          {mayWrite && <Button id={RENAME} onClick={() => setAsked({ kind: 'rename' })}>Rename</Button>}
          {mayDelete && <Button color="error" onClick={() => setAsked({ kind: 'remove' })}>Delete board</Button>}
        </Box>
      )}
      {board.isLoading && <Skeleton variant="rounded" height={320} />}
      {shown && cards.length === 0 && <Typography color="textSecondary">Nothing is pinned here yet. The pin at an answer puts it on this board.</Typography>}
      <Box component="ul" aria-label="Cards" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 2, gridTemplateColumns: 'repeat(12, minmax(0, 1fr))' }}>
        {cards.map((card, at) => (
          <CardView key={card.id} card={card} units={unitsOf(card.ontologyId)} acts={mayWrite ? actsOf(card, at) : undefined}
            refreshing={busy.has(card.id) || (refreshAll.isPending && card.state !== 'stale')} />
        ))}
      </Box>
      {asked?.kind === 'rename' && (
        <NameDialog title="Rename the board" name={title} act="Rename" onSave={(name) => change.mutateAsync({ name })} onClose={close} />
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog title="Delete this board?" text={`${title}, with ${cards.length === 1 ? 'its card' : `its ${cards.length} cards`}. The answers stay in their chats.`} act="Delete" onClose={close}
          onConfirm={() => void remove(boardId).then(() => navigate('/boards'), say)} />
      )}
      {asked?.kind === 'drop' && (
        <ConfirmDialog title="Remove this card?" text={asked.card.title} act="Remove" onClose={close}
          onConfirm={() => void removeCard(asked.card.id).catch(say)} />
      )}
      {asked?.kind === 'edit' && (
        <LazyPart onClose={close}><EditCard card={asked.card} onSave={(body) => changeCard(asked.card.id, body)} onClose={close} /></LazyPart>
      )}
    </PageFrame>
  );
}
