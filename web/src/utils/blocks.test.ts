import { blocksOf } from './blocks';

describe('blocksOf', () => {
  it('cuts at empty lines and loses nothing', () => {
    const text = '# One\n\ntwo\nthree\n\n\nfour';
    expect(blocksOf(text)).toEqual(['# One\n', 'two\nthree\n\n', 'four']);
    expect(blocksOf(text).join('\n')).toBe(text);
  });

  it('leaves code and lists whole', () => {
    const code = '```sql\nSELECT 1\n\nFROM t\n```';
    expect(blocksOf(`${code}\n\nend`)).toEqual([`${code}\n`, 'end']);
    const list = '1. one\n\n   more\n\n2. two';
    expect(blocksOf(list)).toEqual([list]);
  });

  it('does not touch earlier blocks as the text grows', () => {
    const before = blocksOf('one\n\ntwo\n\nthr');
    expect(blocksOf('one\n\ntwo\n\nthree\n\nfour').slice(0, 2)).toEqual(before.slice(0, 2));
  });
});
