import { useState } from 'react'
import { CloudOff } from 'lucide-react'
import { useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { clock } from '../../ui/player-time.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { WayBack } from '../../ui/way-back.tsx'
import { messages } from './messages.ts'
import { postRemark, type useUnsentRemarks } from './unsent-remarks.ts'

type Unsent = ReturnType<typeof useUnsentRemarks>[number]

/** A comment that the service does not have yet: on its way, or kept here until somebody tries again or takes it back. */
export const UnsentRow = ({
  remark,
  isStaffs,
  onTakeBack,
}: {
  remark: Unsent
  /** The video is somebody else's, and who reads a comment on it is to be known. */
  isStaffs: boolean
  onTakeBack: (remark: Unsent) => void
}) => {
  const { name } = useUser()
  const [isTried, setTried] = useState(false)
  const { isSending, problem, isInternal } = remark
  return (
    <li
      data-unsent={isSending ? 'sending' : 'waiting'}
      className="flex items-start gap-3 border-l-2 border-l-transparent py-2.5"
    >
      <span className="figures inline-flex h-7 min-w-13 shrink-0 items-center justify-center rounded-md border border-line px-2 font-mono text-[0.8125rem] text-muted">
        {clock(remark.atMs / 1000)}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex min-h-7 flex-wrap items-center gap-x-1.5 text-[0.8125rem] text-muted">
          <Avatar name={name} className="size-5 text-[0.625rem]" />
          <span className="font-medium text-ink">{name}</span>
          {isInternal && <Badge tone="plain">{messages.internal}</Badge>}
          <span role="status">
            {isSending ? (
              messages.sending
            ) : (
              <Badge tone="warn">
                <CloudOff aria-hidden />
                {messages.notSent}
              </Badge>
            )}
          </span>
        </p>
        <p className="mt-0.5 [overflow-wrap:anywhere] whitespace-pre-line text-muted">{remark.text}</p>
        {(!isSending || isTried) && (
          <div className="mt-1.5 grid gap-2">
            {isTried && <WayBack />}
            <p className="text-[0.8125rem] text-muted">
              {problem ?? messages.notSentText} {isStaffs && (isInternal ? messages.staffReads : messages.officerReads)}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button
                size="small"
                isPending={isSending}
                onPress={() => {
                  setTried(true)
                  void postRemark(remark)
                }}
              >
                {messages.tryAgain}
              </Button>
              <Button size="small" variant="quiet" isDisabled={isSending} onPress={() => onTakeBack(remark)}>
                {messages.takeBack}
              </Button>
            </div>
          </div>
        )}
      </div>
    </li>
  )
}
