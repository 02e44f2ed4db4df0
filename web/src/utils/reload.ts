/** Loads the page again. Drafts are kept, and an answer in progress continues. */
export function reload(): void {
  location.reload();
}
