import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, Link as LinkIcon } from 'lucide-react'
import { toast } from 'sonner'
import { calendar } from '@clear-to-post/contract/calendar'
import { keyOf, query, useCall } from '../../api.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

/** The link by which a calendar elsewhere shows what is scheduled and due. Its address is known only to the page that made it. */
export const CalendarCard = () => {
  const client = useQueryClient()
  const { data } = useQuery(query(calendar.read, {}))
  const [isAsking, setAsking] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const know = (made: string | null) => {
    setUrl(made)
    client.setQueryData(keyOf(calendar.read, {}), { hasLink: made !== null })
  }
  const renew = useCall(calendar.renew, { onSuccess: (made) => know(made.url), onError: toastFailure })
  const remove = useCall(calendar.remove, {
    onSuccess: () => {
      know(null)
      toast.success(messages.linkRemoved)
    },
    onError: toastFailure,
  })
  return (
    <Section id="calendar" title={messages.calendar} text={messages.calendarText}>
      {!data?.hasLink ? (
        <Button
          icon={<CalendarPlus aria-hidden />}
          isDisabled={data === undefined}
          isPending={renew.isPending}
          onPress={() => renew.mutate({})}
        >
          {messages.makeLink}
        </Button>
      ) : (
        <div className="grid gap-3">
          {url === null ? (
            <p>{messages.calendarHidden}</p>
          ) : (
            <>
              <div className="flex flex-wrap gap-2">
                <Button icon={<LinkIcon aria-hidden />} onPress={() => void copyText(url, messages.calendarCopied)}>
                  {messages.copyCalendar}
                </Button>
                <a href={url.replace(/^https?:/, 'webcal:')} className={buttonLook({})}>
                  <CalendarPlus aria-hidden />
                  {messages.openCalendar}
                </a>
              </div>
              <p>{messages.calendarOnce}</p>
              <p className="text-muted">{messages.calendarHow}</p>
            </>
          )}
          <p className="text-muted">{messages.calendarWarning}</p>
          <div className="-ml-3 flex flex-wrap gap-1">
            <Button size="small" variant="quiet" isPending={renew.isPending} onPress={() => setAsking(true)}>
              {messages.newLink}
            </Button>
            <Button size="small" variant="quiet" isPending={remove.isPending} onPress={() => remove.mutate({})}>
              {messages.removeLink}
            </Button>
          </div>
        </div>
      )}
      <Confirm
        title={messages.newLinkTitle}
        text={messages.newLinkText}
        confirm={messages.newLink}
        keep={messages.keepLink}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => {
          setAsking(false)
          renew.mutate({})
        }}
      />
    </Section>
  )
}
