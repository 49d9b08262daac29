import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, Link as LinkIcon } from 'lucide-react'
import { toast } from 'sonner'
import { calendar } from '@clear-to-post/contract/calendar'
import { keyOf, query, useCall } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

/** The link by which a calendar elsewhere shows what is scheduled and due. */
export const CalendarCard = () => {
  const client = useQueryClient()
  const { data } = useQuery(query(calendar.read, {}))
  const [isAsking, setAsking] = useState(false)
  const know = (link: { url: string | null }) => client.setQueryData(keyOf(calendar.read, {}), link)
  const renew = useCall(calendar.renew, { onSuccess: know, onError: toastFailure })
  const remove = useCall(calendar.remove, {
    onSuccess: () => {
      know({ url: null })
      toast.success(messages.linkRemoved)
    },
    onError: toastFailure,
  })
  const url = data?.url ?? null
  return (
    <Section id="calendar" title={messages.calendar} text={messages.calendarText}>
      {url === null ? (
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
          <div className="flex flex-wrap gap-2">
            <Button
              icon={<LinkIcon aria-hidden />}
              onPress={() => void navigator.clipboard.writeText(url).then(() => toast.success(messages.calendarCopied))}
            >
              {messages.copyCalendar}
            </Button>
            <a href={url.replace(/^https?:/, 'webcal:')} className={buttonLook({})}>
              <CalendarPlus aria-hidden />
              {messages.openCalendar}
            </a>
          </div>
          <p className="text-muted">
            {messages.calendarHow} {messages.calendarWarning}
          </p>
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
