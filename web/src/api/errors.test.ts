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
