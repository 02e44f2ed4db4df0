import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { lazy, Suspense, useState } from 'react';
import type { Ontology } from '../../api/types';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';

const OntologyDialog = lazy(() => import('./OntologyDialog'));

const COLOURS = { creating: 'info', ready: 'success', failed: 'error' } as const;

/** Relationships between datasets: the server's count includes one for each field. */
function joinsOf({ relationshipCount, nodeCount, datasetCount }: Ontology): number {
  return relationshipCount - (nodeCount - datasetCount);
}

/** The list of ontologies, each of which can be opened. */
export function Ontologies() {
  const { ontologies, error } = useOntologies();
  const [shown, setShown] = useState<Ontology | null>(null);
  if (error) return <ErrorCard title="The ontologies could not be read" error={error} />;
  return (
    <>
      <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Ontologies">
        <Table size="small" sx={{ minWidth: 480 }}>
          <TableHead>
            <TableRow>{['Name', 'Status', 'Datasets', 'Relationships', 'Open'].map((name) => <TableCell key={name}>{name}</TableCell>)}</TableRow>
          </TableHead>
          <TableBody>
            {ontologies.map((o) => (
              <TableRow key={o.id}>
                <TableCell>{o.name}</TableCell>
                <TableCell><Chip size="small" variant="outlined" color={COLOURS[o.status]} label={o.status} /></TableCell>
                <TableCell>{o.datasetCount}</TableCell>
                <TableCell>{joinsOf(o)}</TableCell>
                <TableCell>
                  <Button size="small" disabled={o.status !== 'ready'} aria-label={`Open ${o.name}`} onClick={() => setShown(o)}>Open</Button>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      <Suspense fallback={null}>
        {shown && <OntologyDialog ontology={shown} onClose={() => setShown(null)} />}
      </Suspense>
    </>
  );
}
