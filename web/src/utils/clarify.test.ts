import { repliesTo } from './clarify';

describe('repliesTo', () => {
  it.each([
    ['Which period is meant?', 'the last six months', ['the last six months', 'the last 30 days', 'this year', 'last year']],
    ['By city or by state?', 'by city', ['by city', 'state']],
    ['Which products do you mean?', 'all of them', ['all of them']],
  ])('%s', (question, assumption, replies) => expect(repliesTo({ question, assumption })).toEqual(replies));
});
