import { useState } from 'react';
import type { NewConnection } from '../api/types';

export const CONNECTION_FIELDS = [
  ['name', 'Name', 'text'],
  ['host', 'Host', 'text'],
  ['port', 'Port', 'number'],
  ['databaseName', 'Database', 'text'],
  ['username', 'User', 'text'],
  ['password', 'Password', 'password'],
] as const;

type Key = (typeof CONNECTION_FIELDS)[number][0];
export type DatabaseType = NonNullable<NewConnection['dbType']>;

const PORTS: Record<DatabaseType, string> = { postgresql: '5432', trino: '8443' };

const EMPTY: Record<Key, string> = { name: '', host: '', port: '5432', databaseName: '', username: '', password: '' };

/** The fields of a connection while the user types. */
export function useConnectionDraft() {
  const [values, setValues] = useState(EMPTY);
  const [useSsl, setUseSsl] = useState(true);
  const [timeZone, setTimeZone] = useState('');
  const [dbType, setType] = useState<DatabaseType>('postgresql');
  const [schema, setSchema] = useState('');
  const [token, setToken] = useState(false);
  const set = (key: Key, text: string) => setValues((before) => ({ ...before, [key]: text }));
  const ready = CONNECTION_FIELDS.every(([key]) => key === 'password' || values[key].trim() !== '');
  /** The usual port changes with the type, one that was typed stays. */
  const setDbType = (type: DatabaseType) => {
    if (values.port === PORTS[dbType]) set('port', PORTS[type]);
    setType(type);
  };
  const cluster = { schema: schema.trim() || null, authentication: token ? 'jwt' as const : 'password' as const, ...(useSsl && { sslMode: 'verify-full' as const }) };
  const body = (): NewConnection => ({
    ...values, port: Number(values.port), password: values.password || null, useSsl, dbType,
    options: { timeZone: timeZone.trim() || null, ...(dbType === 'trino' && cluster) },
  });
  return { values, set, useSsl, setUseSsl, timeZone, setTimeZone, dbType, setDbType, schema, setSchema, token, setToken, ready, body };
}
