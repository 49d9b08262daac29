import { paths } from '../../paths.ts'
import { RoomNav } from '../room-nav.tsx'
import { pageNames } from '../sub-pages.ts'
import { messages } from './nav-messages.ts'

/** The figures, and what editors are paid by them. */
export const ReportsNav = () => (
  <RoomNav room="reports" first={{ to: paths.reports, label: pageNames.reports }} label={messages.pages} />
)
