import { ApiError, messageOf, reasonOf } from './errors';

const refused = (details: unknown, code = 'VALIDATION_ERROR') =>
  messageOf(new ApiError(400, { code, message: 'The request is not valid.', details }));

describe('what is said of a request that was refused', () => {
  it('names the fields that are wrong', () => {
    expect(refused([{ field: 'options.timeZone', message: 'must be a time zone' }, { field: 'port', message: 'must be 1 to 65535' }]))
      .toBe('options.timeZone must be a time zone. port must be 1 to 65535.');
  });

  it.each([[null], [{}], ['x'], [[]], [[null, 3, { message: 'No such table', line: 3 }]]])('is the message where there are no fields: %j', (details) => {
    expect(refused(details)).toBe('The request is not valid.');
  });

  it('is the message of other refusals', () => {
    expect(refused([{ field: 'a', message: 'b' }], 'CONFLICT')).toBe('The request is not valid.');
  });
});

it('gives the reasons for a form without the names of fields', () => {
  const reasons = (details: unknown) => reasonOf(new ApiError(400, { message: 'No.', details }));
  expect(reasons([{ field: 'sql', message: 'there is no column x' }, { field: 'name', message: 'It is taken.' }])).toBe('There is no column x. It is taken.');
  expect(reasons([null, {}])).toBe('No.');
});

it.each([
  'Failed to fetch dynamically imported module: http://localhost/app/assets/boardFile-1.js',
  'error loading dynamically imported module: http://localhost/app/assets/boardFile-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /app/assets/GraphView-1.css',
])('asks for a reload if a part of the page is not there: %s', (message) => {
  expect(messageOf(new TypeError(message))).toBe('A part of the page could not be loaded. Reload the page, then try again.');
  expect(messageOf(new TypeError('Failed to fetch'))).toBe('The server cannot be reached');
});
