import { readConnectionString } from './connectionString';

describe('a connection string', () => {
  it.each([
    ['postgresql://ann:p%40ss@db.example.org:6432/shop?sslmode=require', { host: 'db.example.org', port: '6432', databaseName: 'shop', username: 'ann', password: 'p@ss', useSsl: true }],
    ['trino://ann@trino:8443/hive/sales', { dbType: 'trino', host: 'trino', port: '8443', databaseName: 'hive', schema: 'sales', username: 'ann' }],
    ['postgres://db/shop', { host: 'db', databaseName: 'shop' }],
    ['jdbc:postgresql://db:5432/shop?user=ann&password=x', { host: 'db', port: '5432', databaseName: 'shop', username: 'ann', password: 'x' }],
    ['postgres://u@[::1]/d', { host: '::1', databaseName: 'd', username: 'u' }],
    ["host=db port=5432 dbname=shop user=ann password='it\\'s' sslmode=disable", { host: 'db', port: '5432', databaseName: 'shop', username: 'ann', password: "it's", useSsl: false }],
  ])('%s', (text, parts) => expect(readConnectionString(text)).toEqual(parts));

  it.each(['db.example.org', '10.0.0.1', 'postgres', 'postgres://', 'host=', '', `host=${'x'.repeat(5000)}`])('none: %s', (text) => expect(readConnectionString(text)).toBeNull());
});
