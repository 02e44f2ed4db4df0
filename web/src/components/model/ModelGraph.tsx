import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import Search from '@mui/icons-material/Search';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { lazy, useMemo, useState } from 'react';
import type { ModelDataset, ModelParts } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { LazyPart } from '../common/LazyPart';
import { DatasetCard } from './DatasetCard';
import { MetricFacts } from './Metrics';

const GraphView = lazy(() => import('../common/GraphView').then((m) => ({ default: m.GraphView })));

/** Whether a name, a label, a synonym or a description of the dataset or its fields has the text. */
export function mentions(dataset: ModelDataset, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const texts = [dataset, ...dataset.fields].flatMap((part) => [part.name, part.label, part.description, ...part.synonyms]);
  return wanted !== '' && texts.some((one) => one?.toLowerCase().includes(wanted));
}

/** The graph of datasets: a click shows fields and metrics of one, a search marks those that mention it. */
export function ModelGraph({ parts, editor }: { parts: ModelParts; editor?: ModelEditor }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const seen = useMemo(() => parts.datasets.filter((d) => !d.hidden), [parts]);
  const datasets = useMemo(() => seen.map((d) => d.name), [seen]);
  const labels = useMemo(() => new Map(seen.map((d) => [d.name, d.label ?? d.name])), [seen]);
  const joins = useMemo(() => parts.relationships.filter((r) => !r.hidden).map((r) => ({
    from: r.from, to: r.to, on: '',
  })), [parts]);
  const marked = useMemo(() => new Set(seen.filter((d) => mentions(d, search)).map((d) => d.name)), [seen, search]);
  const dataset = seen.find((d) => d.name === chosen);
  const metrics = parts.metrics.filter((m) => chosen !== null && m.datasets.includes(chosen));
  return (
    <Stack spacing={1.5}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <TextField size="small" label="Search the graph" value={search} onChange={(e) => setSearch(e.target.value)} sx={{ minWidth: 240 }}
          slotProps={{ input: { startAdornment: <InputAdornment position="start"><Search fontSize="small" /></InputAdornment> } }} />
        <Typography variant="body2" color="textSecondary" role="status">
          {search.trim() ? `${marked.size} of ${datasets.length} datasets mention it` : 'Click a dataset for its fields and metrics.'}
        </Typography>
      </Box>
      <LazyPart fallback={<Box sx={{ height: 480 }} />}>
        <GraphView datasets={datasets} joins={joins} label="Graph of the ontology" height={480}
          labels={labels} marked={search.trim() ? marked : undefined} chosen={chosen} onChoose={setChosen} />
      </LazyPart>
      {dataset && (
        <Stack spacing={1}>
          <DatasetCard key={dataset.name} dataset={dataset} editor={editor} open />
          <Typography variant="subtitle2" component="h3">Metrics about it</Typography>
          {metrics.length === 0 && <Typography variant="body2" color="textSecondary">None.</Typography>}
          {metrics.map((metric) => <MetricFacts key={metric.name} metric={metric} />)}
        </Stack>
      )}
    </Stack>
  );
}
