import Typography from '@mui/material/Typography';
import { PageFrame } from '../components/common/PageFrame';
import { Connections } from '../components/data/Connections';
import { Ontologies } from '../components/data/Ontologies';
import { Datasets } from '../components/files/Datasets';
import { TrustedAnswers } from '../components/trusted/TrustedAnswers';
import { UploadModel } from '../components/data/UploadModel';
import { useMay } from '../hooks/useSession';

/** Files, connections, semantic models, ontologies and trusted answers. */
export default function DataPage() {
  const mayWrite = useMay('semantic_models:write');
  return (
    <PageFrame title="Data">
      <Typography variant="h6" component="h2">Files</Typography>
      <Datasets />
      <Typography variant="h6" component="h2">Ontologies</Typography>
      <Ontologies />
      {mayWrite && <UploadModel />}
      <Typography variant="h6" component="h2">Trusted answers</Typography>
      <TrustedAnswers />
      <Typography variant="h6" component="h2">Connections</Typography>
      <Connections />
    </PageFrame>
  );
}
