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

const EMPTY: Record<Key, string> = { name: '', host: '', port: '5432', databaseName: '', username: '', password: '' };

/** The fields of a connection while the user types. */
export function useConnectionDraft() {
  const [values, setValues] = useState(EMPTY);
  const [useSsl, setUseSsl] = useState(true);
  const [timeZone, setTimeZone] = useState('');
  const set = (key: Key, text: string) => setValues((before) => ({ ...before, [key]: text }));
  const ready = CONNECTION_FIELDS.every(([key]) => key === 'password' || values[key].trim() !== '');
  const body = (): NewConnection => ({
    ...values, port: Number(values.port), password: values.password || null, useSsl, dbType: 'postgresql',
    options: { timeZone: timeZone.trim() || null },
  });
  return { values, set, useSsl, setUseSsl, timeZone, setTimeZone, ready, body };
}
