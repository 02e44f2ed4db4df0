import Link from '@mui/material/Link';

/** The id of the main part of a page with a sidebar. */
export const MAIN = 'main';

/** The first stop of the Tab key: past the sidebar. Visible only with the focus. */
export function SkipLink() {
  const skip = (event: React.MouseEvent) => {
    event.preventDefault(); // the fragment of the URL is for messages
    document.querySelector<HTMLElement>(`#${MAIN} :is(button, a[href], textarea, [tabindex="0"])`)?.focus();
  };
  return (
    <Link href={`#${MAIN}`} onClick={skip}
      sx={{ position: 'absolute', left: 8, top: -100, zIndex: 'tooltip', p: 1, bgcolor: 'background.paper', borderRadius: 1, '&:focus': { top: 8 } }}>
      Skip to the content
    </Link>
  );
}
