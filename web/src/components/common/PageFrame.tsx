import ArrowBack from '@mui/icons-material/ArrowBack';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ThemeToggle } from './ThemeToggle';

interface PageFrameProps {
  title: string;
  /** The target of the back arrow. */
  back?: string;
  /** As wide as the window. */
  wide?: boolean;
  children: ReactNode;
}

/** After navigation the focus goes to the content, unless one of its fields takes the focus itself. */
function useKeyboardArrives() {
  const main = useRef<HTMLDivElement>(null);
  const arrives = useRef(useLocation().key !== 'default');
  useEffect(() => {
    if (arrives.current && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, []);
  return main;
}

/** A page other than the chats: title, back arrow, content. */
export function PageFrame({ title, back = '/agent', wide = false, children }: PageFrameProps) {
  const name = back === '/agent' ? 'Back to the chats' : 'Back';
  const main = useKeyboardArrives();
  useEffect(() => {
    document.title = `${title} · Sextant`;
  }, [title]);
  return (
    <Box sx={{ height: '100dvh', display: 'flex', flexDirection: 'column' }}>
      <Box component="header" sx={{ display: 'flex', alignItems: 'center', gap: 1, p: 1, borderBottom: 1, borderColor: 'divider', bgcolor: 'background.paper' }}>
        <Tooltip title={name}>
          <IconButton component={Link} to={back} aria-label={name}><ArrowBack /></IconButton>
        </Tooltip>
        <Typography variant="h6" component="h1" sx={{ flex: 1 }}>{title}</Typography>
        <ThemeToggle />
      </Box>
      <Box component="main" ref={main} tabIndex={0} aria-label={title} sx={{ flex: 1, overflowY: 'auto', minHeight: 0 }}>
        <Box sx={{ maxWidth: wide ? 1800 : 1100, mx: 'auto', p: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children}</Box>
      </Box>
    </Box>
  );
}
