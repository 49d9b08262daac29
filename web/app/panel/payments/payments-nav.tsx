import { paths } from '../../paths.ts'
import { RoomNav } from '../room-nav.tsx'
import { pageNames } from '../sub-pages.ts'
import { messages } from './nav-messages.ts'

/** What was paid, who has which plan, and what is sold. */
export const PaymentsNav = () => (
  <RoomNav room="payments" first={{ to: paths.payments, label: pageNames.payments }} label={messages.pages} />
)
