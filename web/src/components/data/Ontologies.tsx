import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Link } from 'react-router';
import type { Ontology } from '../../api/types';
import { useOntologies } from '../../hooks/useOntologies';
import { ErrorCard } from '../common/ErrorCard';
import { STACKED } from '../common/stacked';

const COLOURS = { creating: 'info', ready: 'success', failed: 'error' } as const;

/** Relationships between datasets: the server's count includes one for each field. */
function joinsOf({ relationshipCount, nodeCount, datasetCount }: Ontology): number {
  return relationshipCount - (nodeCount - datasetCount);
}

/** The list of ontologies, each of which can be opened. */
export function Ontologies() {
  const { ontologies, error } = useOntologies();
  if (error) return <ErrorCard title="The ontologies could not be read" error={error} />;
  return (
    <>
      <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Ontologies">
        <Table size="small" sx={{ minWidth: { sm: 480 }, ...STACKED }}>
          <TableHead>
            <TableRow>{['Name', 'Status', 'Datasets', 'Relationships', 'Open'].map((name) => <TableCell key={name}>{name}</TableCell>)}</TableRow>
          </TableHead>
          <TableBody>
            {ontologies.map((o) => (
              <TableRow key={o.id}>
                <TableCell data-column="Name">{o.name}</TableCell>
                <TableCell data-column="Status"><Chip size="small" variant="outlined" color={COLOURS[o.status]} label={o.status} /></TableCell>
                <TableCell data-column="Datasets">{o.datasetCount}</TableCell>
                <TableCell data-column="Relationships">{joinsOf(o)}</TableCell>
                <TableCell data-column="Open">
                  <Button size="small" disabled={o.status !== 'ready'} aria-label={`Open ${o.name}`} component={Link} to={`/settings/data/ontologies/${o.id}`}>Open</Button>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
