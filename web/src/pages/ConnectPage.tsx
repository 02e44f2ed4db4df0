import Box from '@mui/material/Box';
import Step from '@mui/material/Step';
import StepLabel from '@mui/material/StepLabel';
import Stepper from '@mui/material/Stepper';
import { Navigate, useSearchParams } from 'react-router';
import { ErrorCard } from '../components/common/ErrorCard';
import { PageFrame } from '../components/common/PageFrame';
import { BuildStep } from '../components/onboarding/BuildStep';
import { ConnectStep } from '../components/onboarding/ConnectStep';
import { TablesStep, type BuildOrder } from '../components/onboarding/TablesStep';
import { useConnections } from '../hooks/useConnections';
import { useKeyboardHere } from '../hooks/useKeyboardStays';
import { startModelRun } from '../hooks/useModelRun';
import { useMay } from '../hooks/useSession';

const STEPS = ['Connect', 'Choose tables', 'Build the model'];

function Tables({ id, onStarted }: { id: string; onStarted: (runId: string) => void }) {
  const { connections, error, refetch } = useConnections();
  const connection = connections.find((c) => c.id === id);
  if (error) return <ErrorCard title="The connections could not be read" error={error} onRetry={() => void refetch()} />;
  if (!connection) return null;
  const build = async (order: BuildOrder) => onStarted((await startModelRun(order)).id);
  return <TablesStep connection={connection} onBuild={build} />;
}

/** The wizard from a database to a semantic model. Its position is in the URL: ?connection=…, ?run=… */
export default function ConnectPage() {
  const [params, setParams] = useSearchParams();
  const mayWrite = useMay('semantic_models:write');
  const connection = params.get('connection');
  const run = params.get('run');
  const step = useKeyboardHere<HTMLDivElement>(run ?? connection);
  if (!mayWrite) return <Navigate to="/settings/data" replace />;
  return (
    <PageFrame title="Connect a database" back="/settings/data">
      <Stepper activeStep={run ? 2 : connection ? 1 : 0} sx={{ my: 1 }}>
        {STEPS.map((name) => <Step key={name}><StepLabel>{name}</StepLabel></Step>)}
      </Stepper>
      <Box ref={step} tabIndex={-1} sx={{ outline: 0 }}>
        {run ? (
          <BuildStep key={run} runId={run} onAgain={(id) => setParams({ connection: id })} />
        ) : connection ? (
          <Tables id={connection} onStarted={(id) => setParams({ run: id })} />
        ) : (
          <ConnectStep onConnected={(id) => setParams({ connection: id })} />
        )}
      </Box>
    </PageFrame>
  );
}
