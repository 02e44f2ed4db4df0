import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { PageFrame } from '../components/common/PageFrame';
import { Connections } from '../components/data/Connections';
import { Ontologies } from '../components/data/Ontologies';
import { Datasets } from '../components/files/Datasets';
import { TrustedAnswers } from '../components/trusted/TrustedAnswers';
import { UploadModel } from '../components/data/UploadModel';
import { useConnections } from '../hooks/useConnections';
import { useDatasets } from '../hooks/useDatasets';
import { useOntologies } from '../hooks/useOntologies';
import { useMay } from '../hooks/useSession';
import { useTrustedAnswers } from '../hooks/useTrustedAnswers';

/** One of the lists is not known yet. */
function useWaiting(): boolean {
  return [useDatasets(), useOntologies(), useTrustedAnswers(), useConnections()].some(({ isLoading }) => isLoading);
}

/** Files, connections, semantic models, ontologies and trusted answers. They appear at once, because each list would push down those below. */
export default function DataPage() {
  const mayWrite = useMay('semantic_models:write');
  const waiting = useWaiting();
  return (
    <PageFrame title="Data">
      <Typography variant="h6" component="h2">Files</Typography>
      {waiting ? <Skeleton variant="rounded" height={120} /> : (
        <>
          <Datasets />
          <Typography variant="h6" component="h2">Ontologies</Typography>
          <Ontologies />
          {mayWrite && <UploadModel />}
          <Typography variant="h6" component="h2">Trusted answers</Typography>
          <TrustedAnswers />
          <Typography variant="h6" component="h2">Connections</Typography>
          <Connections />
        </>
      )}
    </PageFrame>
  );
}
