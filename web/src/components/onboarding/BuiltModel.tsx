import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import type { ModelRun } from '../../api/types';
import { useOntologyOf } from '../../hooks/useModelRun';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';
import { Fold } from '../common/Fold';

type Found = NonNullable<ModelRun['found']>;

function Warnings({ warnings }: Pick<Found, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    <Alert severity="warning" variant="outlined">
      <Box component="ul" sx={{ m: 0, pl: 2 }}>{warnings.map((one) => <li key={one}>{one}</li>)}</Box>
    </Alert>
  );
}

function Candidates({ candidates }: Pick<Found, 'candidates'>) {
  if (candidates.length === 0) return null;
  return (
    <Fold level={3} framed title={`${candidates.length === 1 ? '1 possible relationship' : `${candidates.length} possible relationships`}, not in the model`}>
      <Box component="ul" sx={{ m: 0, pl: 2 }}>
        {candidates.map((c) => (
          <li key={`${c.from} ${c.fromColumns.join()} ${c.to}`}>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {c.from} ({c.fromColumns.join(', ')}) → {c.to} ({c.toColumns.join(', ')})
            </Typography>
            <Typography variant="body2" color="textSecondary">{c.evidence}</Typography>
          </li>
        ))}
      </Box>
    </Fold>
  );
}

/** The result of a build: what it contains, what was left out, and the next steps. */
export function BuiltModel({ run }: { run: ModelRun }) {
  const made = useOntologyOf(run);
  const { ontologies } = useOntologies();
  const ontology = ontologies.find((o) => o.id === made.data?.id) ?? made.data;
  const ready = ontology?.status === 'ready';
  if (!run.semanticModelId) return <Alert severity="info">The model no longer exists.</Alert>;
  return (
    <Stack spacing={2}>
      <Alert severity="success">
        The model &quot;{run.name}&quot; has {run.datasetCount} datasets, {run.relationshipCount} relationships and {run.metricCount} metrics.
      </Alert>
      {run.found && <Warnings warnings={run.found.warnings} />}
      {run.found && <Candidates candidates={run.found.candidates} />}
      {made.error && <ErrorCard title="The ontology could not be created" error={made.error} onRetry={() => void made.refetch()} />}
      {ontology?.status === 'failed' && <Alert severity="error">The ontology could not be created.</Alert>}
      <Stack direction="row" spacing={1}>
        <Button variant="contained" disabled={!ready} component={Link} to={`/agent?ontology=${ontology?.id ?? ''}`}>Ask a question</Button>
        <Button disabled={!ready} component={Link} to={`/settings/data/ontologies/${ontology?.id ?? ''}`}>View the model</Button>
      </Stack>
    </Stack>
  );
}
