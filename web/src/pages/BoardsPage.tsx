import Add from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ErrorCard } from '../components/common/ErrorCard';
import { PageFrame } from '../components/common/PageFrame';
import { NameDialog } from '../components/boards/NameDialog';
import { useBoardActs, useBoards } from '../hooks/useBoards';
import { useMay } from '../hooks/useSession';

/** The user's boards. */
export default function BoardsPage() {
  const { boards, isLoading, error, refetch } = useBoards();
  const { add } = useBoardActs();
  const navigate = useNavigate();
  const mayWrite = useMay('data_agent:write');
  const [naming, setNaming] = useState(false);
  const make = async (name: string) => {
    const made = await add(name);
    await navigate(`/boards/${made.id}`);
  };
  return (
    <PageFrame title="Boards">
      {mayWrite && <Box><Button variant="contained" startIcon={<Add />} onClick={() => setNaming(true)}>New board</Button></Box>}
      {error && <ErrorCard title="The boards could not be read" error={error} onRetry={() => void refetch()} />}
      {!isLoading && !error && boards.length === 0 && (
        <Typography color="textSecondary">No boards yet. The pin at an answer puts it on a board, where its query can be run again.</Typography>
      )}
      <Box component="ul" aria-label="Boards" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(260px, 100%), 1fr))' }}>
        {boards.map((board) => (
          <Card key={board.id} component="li" variant="outlined">
            <CardActionArea component={Link} to={`/boards/${board.id}`} sx={{ p: 2 }}>
              <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{board.name}</Typography>
              <Typography variant="body2" color="textSecondary">
                {board.cardCount === 1 ? '1 card' : `${board.cardCount} cards`} · changed {new Date(board.updatedAt).toLocaleDateString()}
              </Typography>
            </CardActionArea>
          </Card>
        ))}
      </Box>
      {naming && <NameDialog title="New board" act="Create" onSave={make} onClose={() => setNaming(false)} />}
    </PageFrame>
  );
}
