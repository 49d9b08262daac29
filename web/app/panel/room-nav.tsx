import type { LinkProps } from '@tanstack/react-router'
import type { RoomName } from '@clear-to-post/domain/panel'
import { useUser } from '../session.ts'
import { PageNav } from './page-nav.tsx'
import { subPagesOf } from './sub-pages.ts'

/** The pages of a room that this person may open, the room’s own first: the same row on all of them. */
export const RoomNav = ({
  room,
  first,
  label,
  names = {},
}: {
  room: RoomName
  first: { to: LinkProps['to'] & string; label: string }
  label: string
  /** What a page is called here, where there is more to say of it than its name. */
  names?: Readonly<Record<string, string>>
}) => {
  const tabs = subPagesOf(useUser()).flatMap((page) =>
    page.of === room && page.isTab ? [{ to: page.to, label: names[page.to] ?? page.label }] : [],
  )
  return <PageNav label={label} pages={[first, ...tabs]} />
}
