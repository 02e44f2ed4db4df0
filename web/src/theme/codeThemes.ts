import type { PrismTheme } from 'prism-react-renderer';

interface Colours {
  text: string;
  back: string;
  comment: string;
  keyword: string;
  string: string;
  number: string;
  name: string;
}

/** Each color has a contrast of at least 4.5 with its background. */
function codeTheme(c: Colours): PrismTheme {
  return {
    plain: { color: c.text, backgroundColor: c.back },
    styles: [
      { types: ['comment', 'prolog', 'doctype'], style: { color: c.comment, fontStyle: 'italic' } },
      { types: ['keyword', 'operator', 'boolean', 'tag'], style: { color: c.keyword } },
      { types: ['string', 'char', 'attr-value', 'inserted'], style: { color: c.string } },
      { types: ['number', 'constant', 'symbol'], style: { color: c.number } },
      { types: ['function', 'class-name', 'property', 'attr-name', 'builtin'], style: { color: c.name } },
    ],
  };
}

export const lightCode = codeTheme({
  text: '#16211f', back: '#f2f6f5', comment: '#566562', keyword: '#7a1fa2',
  string: '#0b6b2f', number: '#9a3f00', name: '#0b5c8f',
});

export const darkCode = codeTheme({
  text: '#e6efed', back: '#0e1513', comment: '#9fb0ac', keyword: '#d7a6f5',
  string: '#8fdca8', number: '#f5b98a', name: '#8ecdf5',
});
