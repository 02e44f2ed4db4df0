import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import type { ReactNode } from 'react';

interface FoldProps {
  title: ReactNode;
  /** The level of its heading in the page. */
  level: 2 | 3 | 4 | 5;
  /** Draws a frame. */
  framed?: boolean;
  open?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

const BARE = { bgcolor: 'transparent', '&::before': { display: 'none' } };

/** A section that opens and closes. A closed section renders no content. */
export function Fold({ title, level, framed = false, open = false, disabled = false, children }: FoldProps) {
  const slotProps = {
    heading: { component: `h${level}` as const },
    // Dozens of landmarks would not help users of screen readers.
    region: { role: undefined },
    transition: { unmountOnExit: true },
  };
  return (
    <Accordion disableGutters defaultExpanded={open} disabled={disabled} slotProps={slotProps}
      variant={framed ? 'outlined' : 'elevation'} elevation={0} sx={framed ? undefined : BARE}>
      <AccordionSummary expandIcon={<ExpandMore />}
        sx={{ px: framed ? 2 : 0, minHeight: 36, '& .MuiAccordionSummary-content': { my: 0.75, gap: 1, alignItems: 'center', minWidth: 0 } }}>
        {title}
      </AccordionSummary>
      <AccordionDetails sx={{ px: framed ? 2 : 0, pt: 0, minWidth: 0 }}>{children}</AccordionDetails>
    </Accordion>
  );
}
