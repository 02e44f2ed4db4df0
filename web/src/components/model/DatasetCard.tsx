import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ModelDataset, ModelEdit, ModelField } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { Fold } from '../common/Fold';
import { HideSwitch } from './HideSwitch';
import { InlineText, InlineWords } from './InlineText';

type Values = NonNullable<ModelEdit['values']>;

interface DatasetCardProps {
  dataset: ModelDataset;
  /** Undefined: the model can only be read. */
  editor?: ModelEditor;
  open?: boolean;
}

function FieldRow({ dataset, field, editor }: { dataset: string; field: ModelField; editor?: ModelEditor }) {
  const path = `${dataset}.${field.name}`;
  const set = editor && ((values: Values) => editor.edit({ op: 'set', kind: 'field', dataset, name: field.name, values }));
  const text = (key: string) => set && ((value: string) => set({ [key]: value || null }));
  return (
    <TableRow sx={{ '& td, & th': { verticalAlign: 'top' } }}>
      <TableCell component="th" scope="row">
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <Typography variant="body2" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>{field.name}</Typography>
          {set && <HideSwitch name={path} hidden={field.hidden} onChange={(hidden) => set({ hidden })} />}
        </Box>
        <Typography variant="caption" color="textSecondary" component="p">
          {[field.datatype, field.isKey && 'key', field.hidden && 'hidden'].filter(Boolean).join(' · ')}
        </Typography>
        {field.expression !== field.name && (
          <Typography variant="caption" component="p" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>{field.expression}</Typography>
        )}
      </TableCell>
      <TableCell><InlineText label={`Label of ${path}`} value={field.label ?? ''} empty="No label" onSave={text('label')} /></TableCell>
      <TableCell>
        <InlineText label={`Description of ${path}`} value={field.description ?? ''} empty="No description" multiline onSave={text('description')} />
      </TableCell>
      <TableCell>
        <InlineWords label={`Synonyms of ${path}`} words={field.synonyms} empty="No synonyms" onSave={set && ((synonyms) => set({ synonyms }))} />
      </TableCell>
    </TableRow>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '110px minmax(0, 1fr)' }, columnGap: 1 }}>
      <Typography variant="body2" color="textSecondary">{name}</Typography>
      <Box sx={{ minWidth: 0 }}>{children}</Box>
    </Box>
  );
}

/** A dataset with its fields; everything in words can be edited where it is. */
export function DatasetCard({ dataset, editor, open = false }: DatasetCardProps) {
  const { name } = dataset;
  const set = editor && ((values: Values) => editor.edit({ op: 'set', kind: 'dataset', name, values }));
  const text = (key: string) => set && ((value: string) => set({ [key]: value || null }));
  const title = (
    <>
      <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{dataset.label ?? name}</Typography>
      {dataset.label && <Typography variant="body2" color="textSecondary" sx={{ fontFamily: 'monospace' }}>{name}</Typography>}
      <Typography variant="body2" color="textSecondary">{dataset.fields.length} {dataset.fields.length === 1 ? 'field' : 'fields'}</Typography>
      {dataset.hidden && <Chip size="small" label="hidden" />}
    </>
  );
  return (
    <Fold title={title} level={3} framed open={open}>
      <Stack spacing={0.75} sx={{ mb: 1 }}>
        <Fact name="Source"><Typography variant="body2" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>{dataset.source}</Typography></Fact>
        <Fact name="Label"><InlineText label={`Label of ${name}`} value={dataset.label ?? ''} empty="No label" onSave={text('label')} /></Fact>
        <Fact name="Description">
          <InlineText label={`Description of ${name}`} value={dataset.description ?? ''} empty="No description" multiline onSave={text('description')} />
        </Fact>
        <Fact name="Synonyms">
          <InlineWords label={`Synonyms of ${name}`} words={dataset.synonyms} empty="No synonyms" onSave={set && ((synonyms) => set({ synonyms }))} />
        </Fact>
        <Fact name="Instructions">
          <InlineText label={`Instructions of ${name}`} value={dataset.instructions ?? ''} empty="No instructions" multiline onSave={text('instructions')} />
        </Fact>
        {set && (
          <Fact name="Visibility">
            <HideSwitch name={name} hidden={dataset.hidden} onChange={(hidden) => set({ hidden })} />
            {dataset.hidden && <Typography variant="caption" component="span">It is left out of prompts, suggestions and answers.</Typography>}
          </Fact>
        )}
      </Stack>
      <TableContainer tabIndex={0} role="region" aria-label={`Fields of ${name}`}>
        <Table size="small" sx={{ minWidth: 720, tableLayout: 'fixed' }}>
          <TableHead>
            <TableRow>{['Field', 'Label', 'Description', 'Synonyms'].map((head) => <TableCell key={head}>{head}</TableCell>)}</TableRow>
          </TableHead>
          <TableBody>
            {dataset.fields.map((field) => <FieldRow key={field.name} dataset={name} field={field} editor={editor} />)}
          </TableBody>
        </Table>
      </TableContainer>
    </Fold>
  );
}
