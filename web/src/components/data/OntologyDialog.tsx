import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { http, unwrap } from '../../api/client';
import { errorOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { authorizedFetch } from '../../api/session';
import type { Ontology } from '../../api/types';
import { CodeBlock } from '../common/CodeBlock';
import { ErrorCard } from '../common/ErrorCard';
import { DatasetGraph } from './DatasetGraph';

async function textOf(modelId: string): Promise<string> {
  const response = await authorizedFetch(`/api/semantic-models/${modelId}/yaml`);
  if (!response.ok) throw await errorOf(response);
  return response.text();
}

function Graph({ ontology }: { ontology: Ontology }) {
  const graph = useQuery({
    queryKey: keys.graph(ontology.id),
    queryFn: () => {
      const params = { path: { id: ontology.id }, query: { fields: false } };
      return unwrap(http.GET('/api/ontologies/{id}/graph', { params }));
    },
  });
  if (graph.error) return <ErrorCard title="No graph" error={graph.error} />;
  return graph.data ? <DatasetGraph graph={graph.data} /> : <Skeleton variant="rounded" height={400} />;
}

function Text({ ontology }: { ontology: Ontology }) {
  const text = useQuery({
    queryKey: keys.modelText(ontology.semanticModelId),
    queryFn: () => textOf(ontology.semanticModelId),
  });
  if (text.error) return <ErrorCard title="No text" error={text.error} />;
  return text.data === undefined ? <Skeleton variant="rounded" height={400} /> : <CodeBlock code={text.data} language="yaml" maxHeight={520} />;
}

/** An ontology as a graph of datasets, and as the text of its semantic model. */
export default function OntologyDialog({ ontology, onClose }: { ontology: Ontology; onClose: () => void }) {
  const [tab, setTab] = useState<'graph' | 'yaml'>('graph');
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="lg" aria-labelledby="ontology-title">
      <DialogTitle id="ontology-title">{ontology.name}</DialogTitle>
      <DialogContent>
        <Tabs value={tab} onChange={(_e, next: typeof tab) => setTab(next)} aria-label="How it is shown">
          <Tab value="graph" label="Graph" id="tab-graph" aria-controls="ontology-panel" />
          <Tab value="yaml" label="YAML" id="tab-yaml" aria-controls="ontology-panel" />
        </Tabs>
        <div role="tabpanel" id="ontology-panel" aria-labelledby={`tab-${tab}`}>
          {tab === 'graph' ? <Graph ontology={ontology} /> : <Text ontology={ontology} />}
        </div>
      </DialogContent>
      <DialogActions><Button onClick={onClose}>Close</Button></DialogActions>
    </Dialog>
  );
}
