/**
 * The first code of the page, an entry of its own. It is small, so that the questions of who is
 * signed in, and for what the address shows, are on their way while the rest is loaded.
 */
import { begin } from './api/begin';

begin(location.pathname);
