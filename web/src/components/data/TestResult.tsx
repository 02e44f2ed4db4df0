import Alert from '@mui/material/Alert';
import type { ConnectionTest } from '../../api/types';

function rightsOf({ rights }: ConnectionTest): string {
  if (!rights) return '';
  const parts = [`${rights.readableTables} tables to read`];
  if (rights.writableTables > 0) parts.push(`${rights.writableTables} it may also change`);
  if (rights.definerFunctions > 0)
    parts.push(`${rights.definerFunctions} functions it may execute with the rights of their owner`);
  if (rights.createsObjects) parts.push('it may make tables');
  if (rights.superuser) parts.push('a superuser');
  return ` ${parts.join(', ')}.`;
}

/** The result of a connection test: whether it works, and what the role may do. */
export function TestResult({ result }: { result: ConnectionTest }) {
  const { rights } = result;
  const risky = rights && (rights.superuser || rights.createsObjects || rights.writableTables > 0 || rights.definerFunctions > 0);
  const severity = !result.success ? 'error' : risky ? 'warning' : 'success';
  return (
    <Alert severity={severity}>
      {result.message || 'It works.'} ({result.latencyMs} ms){rightsOf(result)}
    </Alert>
  );
}
