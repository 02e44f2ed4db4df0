import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/Delete';
import Edit from '@mui/icons-material/Edit';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ModelDataset, ModelRelationship } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import RelationshipDialog from './RelationshipDialog';
import { newId, removeId, useRemovePart } from './useRemovePart';

interface RelationshipsProps {
  modelId: string;
  datasets: ModelDataset[];
  relationships: ModelRelationship[];
  editor?: ModelEditor;
}

/** The relationships of a model. */
export function Relationships({ modelId, datasets, relationships, editor }: RelationshipsProps) {
  const [shown, setShown] = useState<ModelRelationship | 'new' | null>(null);
  const remove = useRemovePart(editor, 'relationship', relationships);
  return (
    <Stack spacing={1}>
      {editor && <Box><Button id={newId('relationship')} startIcon={<Add />} variant="outlined" onClick={() => setShown('new')}>New relationship</Button></Box>}
      {relationships.length === 0 && <Typography color="textSecondary">This model has no relationships.</Typography>}
      {relationships.map((r) => (
        <Paper key={r.name} variant="outlined" sx={{ p: 1.5, display: 'flex', gap: 1, alignItems: 'flex-start' }}>
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {r.from} → {r.to} {r.hidden && <Chip size="small" label="hidden" />} {!r.toIsKey && <Chip size="small" color="warning" variant="outlined" label="no key on the one side" />}
            </Typography>
            <Typography variant="body2" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
              {r.fromColumns.map((column, i) => `${r.from}.${column} = ${r.to}.${r.toColumns[i]}`).join(' and ')}
            </Typography>
            <Typography variant="caption" color="textSecondary">{r.name}{r.description ? `: ${r.description}` : ''}</Typography>
          </Box>
          {editor && (
            <Box sx={{ display: 'flex', flexShrink: 0 }}>
              <IconButton aria-label={`Edit ${r.name}`} onClick={() => setShown(r)}><Edit fontSize="small" /></IconButton>
              <IconButton id={removeId('relationship', r.name)} aria-label={`Remove ${r.name}`} onClick={() => void remove(r.name)}><Delete fontSize="small" /></IconButton>
            </Box>
          )}
        </Paper>
      ))}
      {shown && editor && (
        <RelationshipDialog modelId={modelId} datasets={datasets} editor={editor}
          relationship={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </Stack>
  );
}
