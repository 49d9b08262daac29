import { NoSuchRoom } from '../page-states.tsx'
import { SiteShell } from './shell.tsx'

/** For an address that leads nowhere within the app; the server has one of its own (lost-page.tsx). */
export const NotFound = () => (
  <SiteShell>
    <NoSuchRoom />
  </SiteShell>
)
