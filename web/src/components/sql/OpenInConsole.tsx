import Terminal from '@mui/icons-material/Terminal';
import Button from '@mui/material/Button';
import { useContext } from 'react';
import { Link } from 'react-router';
import { ConsoleContext } from './consoleContext';

/** Leads to the SQL console with this query; nothing where there is no ontology, as in a shared chat. */
export function OpenInConsole({ sql }: { sql: string }) {
  const ontologyId = useContext(ConsoleContext);
  if (!ontologyId || !sql.trim()) return null;
  return (
    <Button component={Link} size="small" startIcon={<Terminal />} to={`/sql?ontology=${encodeURIComponent(ontologyId)}`} state={{ sql }}>
      Open in SQL console
    </Button>
  );
}
