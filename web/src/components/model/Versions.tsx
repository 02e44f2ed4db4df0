import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { reasonOf } from '../../api/errors';
import type { ModelVersion } from '../../api/types';
import { useModelVersion, useModelVersions, type ModelEditor } from '../../hooks/useModel';
import { ErrorCard } from '../common/ErrorCard';
import { ChangeList, DiffView } from './DiffView';

interface VersionsProps {
  modelId: string;
  current: number;
  editor?: ModelEditor;
}

function otherwise(v: ModelVersion): string {
  return v.version === 1 ? 'The first text' : 'Only comments or layout, or an import';
}

function Diff({ modelId, version }: { modelId: string; version: number }) {
  const { data, error } = useModelVersion(modelId, version);
  if (error) return <ErrorCard title="This version could not be read" error={error} />;
  if (!data) return <Skeleton variant="rounded" height={80} />;
  return <DiffView before={data.previousYaml ?? ''} after={data.yaml} />;
}

function Version({ modelId, version, current, onRestore }: { modelId: string; version: ModelVersion; current: boolean; onRestore?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Paper variant="outlined" component="li" sx={{ p: 1.5, listStyle: 'none' }}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography sx={{ fontWeight: 600 }}>Version {version.version}{current ? ' (now)' : ''}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ flex: 1, minWidth: 160 }}>
          {new Date(version.createdAt).toLocaleString()}{version.author ? `, ${version.author}` : ''}
          {version.restores ? `; the text of version ${version.restores}` : ''}
        </Typography>
        <Button size="small" aria-expanded={open} aria-label={`Lines of version ${version.version}`} onClick={() => setOpen(!open)}>Lines</Button>
        {onRestore && !current && <Button size="small" aria-label={`Restore version ${version.version}`} onClick={onRestore}>Restore</Button>}
      </Box>
      <ChangeList changes={version.changes} otherwise={otherwise(version)} />
      {open && <Diff modelId={modelId} version={version.version} />}
    </Paper>
  );
}

/** Who changed what and when; each version can be restored, as a new one. */
export function Versions({ modelId, current, editor }: VersionsProps) {
  const { data, error } = useModelVersions(modelId);
  const { enqueueSnackbar } = useSnackbar();
  const restore = async (version: number) => {
    try {
      const saved = await editor!.change({ restore: version });
      void enqueueSnackbar(saved.saved ? `Version ${version} is restored, as version ${saved.version}.` : 'It has the same text as now.');
    } catch (refusal) {
      void enqueueSnackbar(reasonOf(refusal), { variant: 'error' });
    }
  };
  if (error) return <ErrorCard title="The versions could not be read" error={error} />;
  if (!data) return <Skeleton variant="rounded" height={160} />;
  const before = data.find((v) => v.version < current);
  return (
    <Stack spacing={1}>
      {editor && before && (
        <Box><Button variant="outlined" onClick={() => void restore(before.version)}>Undo the last change</Button></Box>
      )}
      <Stack spacing={1} component="ul" sx={{ p: 0, m: 0 }}>
        {data.map((version) => (
          <Version key={version.version} modelId={modelId} version={version} current={version.version === current}
            onRestore={editor && (() => void restore(version.version))} />
        ))}
      </Stack>
    </Stack>
  );
}
