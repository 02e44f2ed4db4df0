import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { PageFrame } from '../components/common/PageFrame';

/** For a path that the page does not have. */
export default function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <PageFrame title="Page not found">
      <Typography sx={{ overflowWrap: 'anywhere' }}>There is no page at {pathname}.</Typography>
      <Button component={Link} to="/agent" variant="contained" sx={{ justifySelf: 'start' }}>To the chats</Button>
    </PageFrame>
  );
}
