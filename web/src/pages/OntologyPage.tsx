import Delete from '@mui/icons-material/Delete';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { ModelDetails, Ontology } from '../api/types';
import { ErrorCard } from '../components/common/ErrorCard';
import { isMissing, Missing } from '../components/common/Missing';
import { PageFrame } from '../components/common/PageFrame';
import { DatasetCard } from '../components/model/DatasetCard';
import { Instructions } from '../components/model/Instructions';
import { Metrics } from '../components/model/Metrics';
import { ModelGraph } from '../components/model/ModelGraph';
import { ModelText } from '../components/model/ModelText';
import { Relationships } from '../components/model/Relationships';
import { Versions } from '../components/model/Versions';
import { useModelChange, useModelParts } from '../hooks/useModel';
import { useMay } from '../hooks/useSession';
import { useUndo } from '../hooks/useUndo';

const TABS = {
  datasets: 'Datasets', metrics: 'Metrics', relationships: 'Relationships', graph: 'Graph',
  instructions: 'Instructions', versions: 'Versions', text: 'YAML',
} as const;
type TabName = keyof typeof TABS;

/** Deletes the ontology with its chats; Undo restores both within a minute. */
function DeleteButton({ ontology }: { ontology: Ontology }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { offer, complain } = useUndo();
  const params = { path: { id: ontology.id } };
  const again = () => Promise.all([keys.ontologies, keys.allChats, keys.allTrusted].map((queryKey) => cache.invalidateQueries({ queryKey })));
  const remove = async () => {
    try {
      await done(http.DELETE('/api/ontologies/{id}', { params }));
      await navigate('/settings/data');
      await again();
      offer(ontology.name, () => unwrap(http.POST('/api/ontologies/{id}/restore', { params })).then(again));
    } catch (error) {
      complain(error);
    }
  };
  return <Button color="error" startIcon={<Delete />} onClick={() => void remove()}>Delete</Button>;
}

function Content({ ontology, details, tab }: { ontology: Ontology; details: ModelDetails; tab: TabName }) {
  const modelId = ontology.semanticModelId;
  const change = useModelChange(modelId);
  const editor = details.editable ? change : undefined;
  const { parts } = details;
  if (tab === 'metrics') return <Metrics modelId={modelId} metrics={parts.metrics} editor={editor} />;
  if (tab === 'relationships') return <Relationships modelId={modelId} datasets={parts.datasets} relationships={parts.relationships} editor={editor} />;
  if (tab === 'graph') return <ModelGraph parts={parts} editor={editor} />;
  if (tab === 'instructions') return <Instructions parts={parts} editor={editor} />;
  if (tab === 'versions') return <Versions modelId={modelId} current={details.version} editor={editor} />;
  if (tab === 'text') return <ModelText modelId={modelId} editor={editor} />;
  return (
    <Stack spacing={1}>
      {parts.datasets.map((d) => <DatasetCard key={d.name} dataset={d} editor={editor} open={parts.datasets.length === 1} />)}
    </Stack>
  );
}

/** An ontology and its semantic model, which its owner can correct here. */
export default function OntologyPage() {
  const { id = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const mayDelete = useMay('ontologies:delete');
  const ontology = useQuery({
    queryKey: keys.ontology(id),
    queryFn: () => unwrap(http.GET('/api/ontologies/{id}', { params: { path: { id } } })),
  });
  const details = useModelParts(ontology.data?.semanticModelId);
  const wanted = params.get('tab') as TabName | null;
  const tab: TabName = wanted && Object.hasOwn(TABS, wanted) ? wanted : 'datasets';
  const error = ontology.error ?? details.error;
  const shown = ontology.data && details.data;
  return (
    <PageFrame title={ontology.data?.name ?? 'Ontology'} back="/settings/data">
      {isMissing(ontology.error) && <Missing what="ontology" to="/settings/data" way="To the data" />}
      {error && !isMissing(ontology.error) && <ErrorCard title="The model could not be read" error={error} onRetry={() => void (ontology.error ? ontology.refetch() : details.refetch())} />}
      {!shown && !error && <Skeleton variant="rounded" height={400} />}
      {shown && (
        <>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography variant="body2" color="textSecondary" sx={{ flex: 1 }}>
              Version {details.data.version} of the model · {details.data.editable ? 'changes are saved as new versions and take effect at once' : 'only its owner and admins can change it'}
            </Typography>
            {details.data.editable && mayDelete && <DeleteButton ontology={ontology.data} />}
          </Box>
          {ontology.data.status === 'failed' && <Alert severity="error">{ontology.data.failure}</Alert>}
          <Tabs value={tab} variant="scrollable" allowScrollButtonsMobile onChange={(_e, next: TabName) => setParams({ tab: next }, { replace: true })} aria-label="Parts of the model">
            {Object.entries(TABS).map(([name, label]) => <Tab key={name} value={name} label={label} id={`tab-${name}`} aria-controls="model-panel" />)}
          </Tabs>
          <Box role="tabpanel" id="model-panel" aria-labelledby={`tab-${tab}`} sx={{ minWidth: 0 }}>
            <Typography variant="h6" component="h2" sx={{ mb: 1 }}>{TABS[tab]}</Typography>
            <Content ontology={ontology.data} details={details.data} tab={tab} />
          </Box>
        </>
      )}
    </PageFrame>
  );
}
