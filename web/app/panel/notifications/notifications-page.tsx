import { getRouteApi } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Listed } from '../../ui/listed.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'
import { NoticeList, NoticeSkeletons } from './notice-list.tsx'
import { useInbox } from './use-inbox.ts'
import type { Shown } from './use-notices.ts'

const route = getRouteApi('/panel/notifications')

/** Everything I was told, newest first, or what I have not read of it. */
export const NotificationsPage = () => {
  const { show = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const turnTo = (shown: Shown) => void navigate({ search: shown === 'all' ? {} : { show: shown }, replace: true })
  return (
    <>
      <PageHead
        title={messages.title}
        actions={
          <LinkButton to={paths.profile} hash="notifications" variant="quiet">
            {messages.choices}
          </LinkButton>
        }
      />
      <div className="mx-auto grid max-w-3xl gap-4 px-4 py-5 md:px-6">
        <Tabs
          look="switch"
          label={messages.show}
          items={(['all', 'unread'] as const).map((key) => ({ key, label: messages.shown[key] }))}
          value={show}
          onChange={turnTo}
        >
          {(shown) => <Notices shown={shown} onShowAll={() => turnTo('all')} />}
        </Tabs>
      </div>
    </>
  )
}

const Notices = ({ shown, onShowAll }: { shown: Shown; onShowAll: () => void }) => {
  const inbox = useInbox(shown)
  return (
    <div className="mt-4">
      <Listed
        list={inbox.list}
        failed={messages.failed}
        loading={
          <div className="rounded-card border border-line bg-surface">
            <NoticeSkeletons />
          </div>
        }
        empty={
          <EmptyState
            icon={<Bell aria-hidden />}
            title={shown === 'all' ? messages.empty : messages.noneUnread}
            text={shown === 'all' ? messages.emptyText : messages.noneUnreadText}
            action={shown === 'all' ? undefined : <Button onPress={onShowAll}>{messages.showAll}</Button>}
          />
        }
      >
        {(items) => (
          <div className="overflow-hidden rounded-card border border-line bg-surface">
            <div className="flex flex-wrap justify-end gap-1 border-b border-line p-1.5">
              <Button variant="quiet" size="small" onPress={inbox.readAll}>
                {messages.readAll}
              </Button>
              {shown === 'all' && (
                <Button variant="quiet" size="small" onPress={inbox.clear}>
                  {messages.clear}
                </Button>
              )}
            </div>
            <NoticeList items={items} onOpen={inbox.open} />
            {inbox.hasOlder && (
              <div className="border-t border-line p-2">
                <Button variant="quiet" className="w-full" onPress={inbox.showOlder} isPending={inbox.isLoadingOlder}>
                  {messages.older}
                </Button>
              </div>
            )}
          </div>
        )}
      </Listed>
    </div>
  )
}
