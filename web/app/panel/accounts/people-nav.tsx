import { paths } from '../../paths.ts'
import { RoomNav } from '../room-nav.tsx'
import { messages } from './messages.ts'

/** The pages about people, beside the name of each. */
export const PeopleNav = () => (
  <RoomNav room="people" first={{ to: paths.people, label: messages.people }} label={messages.pages} />
)
