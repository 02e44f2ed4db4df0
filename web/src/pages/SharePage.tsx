import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { http, unwrap } from '../api/client';
import { ApiError } from '../api/errors';
import type { SharedMessage } from '../api/types';
import { Alone } from '../components/common/Alone';
import { ErrorCard } from '../components/common/ErrorCard';
import { Markdown } from '../components/common/Markdown';
import { Caveats, CUT } from '../components/results/Caveats';
import { ChartPicture } from '../components/results/ChartImage';
import { DataLineageFooter } from '../components/results/DataLineageFooter';
import { StepEvidence, type SomeStep } from '../components/results/StepEvidence';
import { UserMessage } from '../components/chat/UserMessage';
import { VerificationBadge } from '../components/results/VerificationBadge';
import { lineageWithoutChecks } from '../utils/checkSteps';

const GONE = new Error('The link has expired, or its owner has stopped sharing. Ask for a new one.');

/** A shared step in the form of the owner's step, without what is not shared. */
function asStep(step: NonNullable<SharedMessage['steps']>[number]): SomeStep {
  return {
    stepId: step.stepId,
    description: step.description ?? undefined,
    sqlResult: {
      rowCount: step.rowCount ?? 0, columns: step.columns ?? [], columnTypes: step.columnTypes ?? [],
      data: step.data ?? '[]', truncated: step.truncated ?? false, sql: step.sql ?? '',
    },
  } as SomeStep;
}

function SharedAnswer({ message, token }: { message: SharedMessage; token: string }) {
  const steps = message.steps ?? [];
  return (
    <Box sx={{ mb: 4, minWidth: 0 }}>
      {message.verification && <Box sx={{ mb: 1 }}><VerificationBadge report={message.verification} /></Box>}
      <Markdown>{message.content}</Markdown>
      <Caveats lines={[...(message.dataLineage?.truncated ? [CUT] : []), ...message.caveats]} />
      {message.charts.map((chart) => (
        <ChartPicture key={chart.n} mediaType={chart.mediaType} alt={`Chart: ${steps.find((s) => s.stepId === chart.stepId)?.description ?? `step ${chart.stepId}`}`}
          src={`/api/data-agent/share/${encodeURIComponent(token)}/messages/${message.id}/charts/${chart.n}`} />
      ))}
      {steps.map((step) => <StepEvidence key={step.stepId} step={asStep(step)} />)}
      {message.dataLineage && <DataLineageFooter lineage={lineageWithoutChecks(message.dataLineage, steps, (i) => steps[i]!.rowCount)} />}
    </Box>
  );
}

/** A shared chat, read-only and without signing in. */
export default function SharePage() {
  const { token = '' } = useParams();
  const shared = useQuery({
    queryKey: ['shared', token],
    queryFn: () => unwrap(http.GET('/api/data-agent/share/{token}', { params: { path: { token } } })),
  });
  if (shared.isLoading) return <Box sx={{ p: 4, textAlign: 'center' }}><CircularProgress aria-label="Loading" /></Box>;
  if (shared.error) return <Alone><ErrorCard title="The shared chat cannot be shown" error={shared.error instanceof ApiError && shared.error.status === 404 ? GONE : shared.error} /><Button href="/">To the start</Button></Alone>;
  return (
    <Box component="main" tabIndex={0} sx={{ height: '100dvh', overflowY: 'auto' }}>
      <Box sx={{ maxWidth: 860, mx: 'auto', p: 2, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Stack sx={{ mb: 3 }}>
          <Typography variant="h5" component="h1">{shared.data?.name}</Typography>
          <Typography variant="caption" color="textSecondary">
            Shared {shared.data && new Date(shared.data.sharedAt).toLocaleString()} from Sextant
            {shared.data?.expiresAt && `; the link expires ${new Date(shared.data.expiresAt).toLocaleString()}`}
          </Typography>
        </Stack>
        {shared.data?.messages.map((message) =>
          message.role === 'user' ? <UserMessage key={message.id} content={message.content} /> : <SharedAnswer key={message.id} message={message} token={token} />)}
      </Box>
    </Box>
  );
}
