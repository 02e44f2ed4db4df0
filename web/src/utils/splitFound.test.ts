import { splitFound } from './splitFound';

const marked = (text: string, search: string) =>
  splitFound(text, search).map(({ part, found }) => (found ? `[${part}]` : part)).join('');

describe('splitFound', () => {
  it.each([
    ['Revenue in Dallas', 'dall', 'Revenue in [Dall]as'],
    ['Revenue in Dallas', 'reven dallas', '[Reven]ue in [Dallas]'],
    ['unrevenue', 'revenue', 'unrevenue'],
    ['über Öl, aber überall', 'Über', '[über] Öl, aber [über]all'],
    ['it is "net revenue"', '"net revenue"', 'it is "[net] [revenue]"'],
    ['a.c abc', 'a.c', '[a].[c] [a]bc'],
    ['a (b', '(', 'a (b'],
    ['a', '', 'a'],
  ])('%s, %s', (text, search, shown) => expect(marked(text, search)).toBe(shown));
});
