/**
 * A table whose rows are blocks on a phone: every value is below the other, with the name of its column (`data-column`)
 * before it, so that nothing is out of sight.
 */
export const STACKED = {
  '@media (max-width:599.95px)': {
    '& thead': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
    '& tbody, & tr': { display: 'block' },
    '& tr': { px: 1, py: 0.75, '&:not(:last-of-type)': { borderBottom: 1, borderColor: 'divider' } },
    '& td': { display: 'flex', gap: 2, alignItems: 'center', border: 0, px: 1, py: 0.25, minHeight: 32, overflowWrap: 'anywhere' },
    '& td::before': { content: 'attr(data-column)', flex: 'none', width: 104, color: 'text.secondary' },
    '& td:empty': { display: 'none' },
  },
} as const;
