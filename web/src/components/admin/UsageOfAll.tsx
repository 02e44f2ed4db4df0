import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../../api/client';
import { keys } from '../../api/keys';
import { ErrorCard } from '../common/ErrorCard';
import { formatCost, formatTokenCount } from '../insights/insightsUtils';

interface Line {
  key: string;
  name: string;
  answers: number;
  tokens: number;
  cost?: number;
}

function Lines({ title, what, lines }: { title: string; what: string; lines: Line[] }) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label={title}>
      <Table size="small" aria-label={title}>
        <TableHead>
          <TableRow>
            <TableCell>{what}</TableCell>
            <TableCell align="right">Answers</TableCell>
            <TableCell align="right">Tokens</TableCell>
            <TableCell align="right">Cost</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {lines.map((line) => (
            <TableRow key={line.key}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{line.name}</TableCell>
              <TableCell align="right">{formatTokenCount(line.answers)}</TableCell>
              <TableCell align="right">{formatTokenCount(line.tokens)}</TableCell>
              <TableCell align="right">{line.cost === undefined ? '–' : formatCost(line.cost)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

/** What all users have used in the last thirty days, and the limits of a day. */
export function UsageOfAll() {
  const usage = useQuery({ queryKey: keys.usageOfAll, queryFn: () => unwrap(http.GET('/api/admin/usage')) });
  if (usage.error) return <ErrorCard title="The usage could not be read" error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return null;
  const { used, tokensPerDay, costPerDay } = usage.data;
  if (used.days.length === 0) return <Typography>No language model has been used in the last thirty days.</Typography>;
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary">
        The last thirty days (UTC). Limits for each user and day: {tokensPerDay ? `${formatTokenCount(tokensPerDay)} tokens` : 'none on tokens'},{' '}
        {costPerDay ? `a cost of ${formatCost(costPerDay)}` : 'none on costs'}. Costs are in the currency of MODEL_PRICES.
      </Typography>
      <Lines title="Usage by user" what="User"
        lines={(used.users ?? []).map((user) => ({ key: user.userId, name: user.email, ...user }))} />
      <Lines title="Usage by day" what="Day" lines={used.days.map((day) => ({ key: day.day, name: day.day, ...day }))} />
    </Stack>
  );
}
