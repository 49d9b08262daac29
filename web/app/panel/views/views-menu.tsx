import { useState } from 'react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Bookmark, BookmarkPlus, Pencil } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuHeader, MenuItem, MenuLine, MenuSection } from '../../ui/menu.tsx'
import { KeepDialog } from './keep-dialog.tsx'
import { ManageDialog } from './manage-dialog.tsx'
import { messages } from './messages.ts'
import { isSame, keptOf, useViews } from './use-views.ts'

/** What somebody keeps of this list, to pick from; and keeping what it is narrowed to now. */
export const ViewsMenu = ({ search }: { search: object }) => {
  const page = useLocation({ select: ({ pathname }) => pathname })
  const navigate = useNavigate()
  const views = useViews(page)
  const [asking, setAsking] = useState<'keep' | 'manage' | null>(null)
  const kept = keptOf(search)
  const current = views.find((one) => isSame(one.search, kept))
  return (
    <>
      <Menu
        label={messages.menu}
        trigger={
          <Button
            variant="quiet"
            icon={<Bookmark aria-hidden className={current ? 'fill-current' : undefined} />}
            aria-label={current ? messages.viewsOpen(current.name) : messages.views}
            className="max-w-56 min-w-0 justify-start"
          >
            <span className="truncate">{current?.name ?? messages.views}</span>
          </Button>
        }
      >
        {views.length > 0 && (
          <MenuSection selectionMode="single" selectedKeys={current ? [current.id] : []}>
            <MenuHeader className="px-2.5 py-1 text-[0.8125rem] text-muted">{messages.kept}</MenuHeader>
            {views.map(({ id, name, search: chosen }) => (
              <MenuItem
                key={id}
                id={id}
                onAction={() => void navigate({ to: '.', search: () => chosen as never, resetScroll: false })}
              >
                {name}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {views.length > 0 && <MenuLine />}
        <MenuSection aria-label={messages.views}>
          <MenuItem id="keep" icon={<BookmarkPlus aria-hidden />} onAction={() => setAsking('keep')}>
            {messages.keep}
          </MenuItem>
          <MenuItem
            id="manage"
            icon={<Pencil aria-hidden />}
            isDisabled={views.length === 0}
            onAction={() => setAsking('manage')}
          >
            {messages.manage}
          </MenuItem>
        </MenuSection>
      </Menu>
      {asking === 'keep' && <KeepDialog page={page} search={kept} views={views} onClose={() => setAsking(null)} />}
      {asking === 'manage' && <ManageDialog views={views} onClose={() => setAsking(null)} />}
    </>
  )
}
