/** Reads a connection string that was typed into one field of the form. */
export interface ConnectionParts {
  host?: string;
  port?: string;
  databaseName?: string;
  username?: string;
  password?: string;
  useSsl?: boolean;
  dbType?: 'trino';
  schema?: string;
}

const LONGEST = 4000;
const KEYS: Record<string, 'host' | 'port' | 'databaseName' | 'username' | 'password'> = {
  host: 'host', hostaddr: 'host', port: 'port', dbname: 'databaseName', user: 'username', password: 'password',
};
const PAIR = /([a-z_]{1,40})\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']*))/gi;

const sslOf = (mode: string | null | undefined) => (mode ? mode !== 'disable' && mode !== 'allow' && mode !== 'prefer' : undefined);

function bare(parts: ConnectionParts): ConnectionParts | null {
  const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')) as ConnectionParts;
  return known.host || known.databaseName ? known : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ofUrl(text: string): ConnectionParts | null {
  try {
    // Browsers parse only the schemes that they know as URLs with a host.
    const url = new URL(text.replace(/^(?:jdbc:)?(?:postgres(?:ql)?|trino):/i, 'http:'));
    const trino = /^(?:jdbc:)?trino:/i.test(text);
    const [catalog = '', schema = ''] = url.pathname.slice(1).split('/');
    return bare({
      ...(trino && { dbType: 'trino' as const, schema: decoded(schema) }),
      host: decoded(url.hostname.replaceAll(/^\[|\]$/g, '')), port: url.port, databaseName: decoded(trino ? catalog : url.pathname.slice(1)),
      username: decoded(url.username) || (url.searchParams.get('user') ?? ''), password: decoded(url.password) || (url.searchParams.get('password') ?? ''),
      useSsl: sslOf(url.searchParams.get('sslmode')),
    });
  } catch {
    return null;
  }
}

function ofPairs(text: string): ConnectionParts | null {
  const parts: ConnectionParts = {};
  for (const [, key = '', quoted, plain = ''] of text.matchAll(PAIR)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
    const name = KEYS[key.toLowerCase()];
    if (name) parts[name] = value;
    if (key.toLowerCase() === 'sslmode') parts.useSsl = sslOf(value);
  }
  return bare(parts);
}

/** Null: the text is no connection string. */
export function readConnectionString(text: string): ConnectionParts | null {
  const it = text.trim();
  if (it.length > LONGEST) return null;
  if (/^(?:jdbc:)?(?:postgres(?:ql)?|trino):\/\//i.test(it)) return ofUrl(it);
  return /\b(?:host|dbname)\s*=/i.test(it) ? ofPairs(it) : null;
}
