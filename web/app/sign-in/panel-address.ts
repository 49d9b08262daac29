/**
 * The address of a page of the panel in `next`, as a browser reads it; null for any other: a link must not carry people
 * elsewhere after their password.
 */
export const panelAddress = (next: string | undefined): string | null => {
  const to = URL.parse(next ?? '', here)
  return to?.origin === here && /^\/panel(?:\/|$)/.test(to.pathname) ? to.pathname + to.search + to.hash : null
}

const here = 'http://here.invalid'
