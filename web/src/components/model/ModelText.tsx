import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useSnackbar } from 'notistack';
import { useRef, useState } from 'react';
import { errorOf, reasonOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { authorizedFetch } from '../../api/session';
import type { ModelSaved } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { CodeBlock } from '../common/CodeBlock';
import { ErrorCard } from '../common/ErrorCard';
import { ChangeList, DiffView } from './DiffView';
import { FormDialog } from '../common/FormDialog';

async function textOf(modelId: string): Promise<string> {
  const response = await authorizedFetch(`/api/semantic-models/${modelId}/yaml`);
  if (!response.ok) throw await errorOf(response);
  return response.text();
}

interface Offer {
  yaml: string;
  found: ModelSaved;
}

/** The text of the model, which another one can replace: what is different is shown before. */
export function ModelText({ modelId, editor }: { modelId: string; editor?: ModelEditor }) {
  const text = useQuery({ queryKey: keys.modelText(modelId), queryFn: () => textOf(modelId) });
  const [offer, setOffer] = useState<Offer | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { enqueueSnackbar } = useSnackbar();
  const file = useRef<HTMLInputElement>(null);
  const take = async (files: FileList | null) => {
    const yaml = await files?.[0]?.text();
    if (file.current) file.current.value = '';
    if (yaml === undefined) return;
    setRefusal(null);
    try {
      setOffer({ yaml, found: await editor!.change({ yaml, dryRun: true }) });
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  const replace = async () => {
    const saved = await editor!.change({ yaml: offer!.yaml });
    void enqueueSnackbar(saved.saved ? `The text is replaced: version ${saved.version}.` : 'It is the same text.');
  };
  if (text.error) return <ErrorCard title="The text could not be read" error={text.error} />;
  return (
    <Stack spacing={1}>
      {editor && (
        <Box>
          <Button variant="outlined" onClick={() => file.current?.click()}>Replace by a file</Button>
          <input ref={file} type="file" accept=".yaml,.yml,.json" hidden aria-label="OSI file that replaces the model" onChange={(e) => void take(e.target.files)} />
        </Box>
      )}
      {refusal && <Alert severity="error">{refusal}</Alert>}
      {text.data === undefined ? <Skeleton variant="rounded" height={400} /> : <CodeBlock code={text.data} language="yaml" maxHeight={560} />}
      {offer && (
        <FormDialog title="Replace the model?" act="Replace" onClose={() => setOffer(null)} onSave={replace}>
          <Typography variant="body2">What is different:</Typography>
          <ChangeList changes={offer.found.changes} otherwise="Only comments or layout." />
          {offer.found.warnings.length > 0 && (
            <Alert severity="warning">{offer.found.warnings.slice(0, 10).map((w, i) => <p key={i} style={{ margin: 0 }}>Line {w.line}: {w.message}</p>)}</Alert>
          )}
          <DiffView before={text.data ?? ''} after={offer.yaml} />
        </FormDialog>
      )}
    </Stack>
  );
}
