import { Bell } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'
import { NoticeList, NoticesLoading } from './notice-list.tsx'
import { useInbox } from './use-inbox.ts'

/** Everything I was told, newest first. */
export const NotificationsPage = () => {
  const inbox = useInbox()
  const { items } = inbox
  return (
    <>
      <PageHead
        title={messages.title}
        actions={
          <>
            {inbox.unread !== null && <Button onPress={inbox.readAll}>{messages.readAll}</Button>}
            {items !== undefined && items.length > 0 && <Button onPress={inbox.clear}>{messages.clear}</Button>}
            <LinkButton to={paths.profile} hash="notifications" variant="quiet">
              {messages.choices}
            </LinkButton>
          </>
        }
      />
      <div className="mx-auto max-w-3xl px-4 py-5 md:px-6">
        {items === undefined ? (
          inbox.error ? (
            <ErrorState title={messages.failed} error={inbox.error} onRetry={inbox.retry} />
          ) : (
            <div className="rounded-card border border-line bg-surface">
              <NoticesLoading />
            </div>
          )
        ) : items.length === 0 ? (
          <EmptyState icon={<Bell aria-hidden />} title={messages.empty} text={messages.emptyText} />
        ) : (
          <div className="overflow-hidden rounded-card border border-line bg-surface">
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
      </div>
    </>
  )
}
