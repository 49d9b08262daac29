import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { useTellWhenLeft } from '../tell-when-left.ts'
import { toastOf } from './act.ts'
import type { Remark } from './conversation.tsx'
import { messages } from './messages.ts'
import { isPosted, postRemark, takeBackRemark, useUnsentRemarks } from './unsent-remarks.ts'
import { UnsentRow } from './unsent-row.tsx'

/** A step that is held; a revision request and a denial have a form, about a cut. */
type Step = { verb: 'deny' | 'review'; cut: number } | { verb: 'approve' }

/**
 * Holds a step until the comments of whoever takes it are with the service: pressed while some are on their way, it goes once they are
 * there; one that was not sent has to be sent or taken back first. `go` is the step as it is meant when it goes. Left before that it
 * does not go, for whoever left may have seen something else meanwhile; they are told so.
 */
export const useRemarksFirst = (project: Project, remarks: readonly Remark[], step: Step, go: () => void) => {
  const navigate = useNavigate()
  const { id: userId } = useUser()
  const kept = useUnsentRemarks(project.id)
  const unsent = kept.filter((remark) => !isPosted(remark, userId, remarks))
  const [isHeld, setHeld] = useState(false)
  const [isTold, setTold] = useState(false)
  const hasFailed = unsent.some(({ isSending }) => !isSending)
  const isFree = unsent.length === 0
  const goNow = useEffectEvent(go)
  useTellWhenLeft(isHeld && !isFree && !hasFailed, () => {
    const search = step.verb === 'approve' ? {} : { form: step.verb, cut: step.cut }
    const back = () => void navigate({ to: paths.project, params: { projectId: project.id }, search })
    toast.warning(messages.leftHeld[step.verb](project.title), {
      id: toastOf(project.id),
      duration: 20_000,
      action: { label: messages.openVideo, onClick: back },
    })
  })
  useEffect(() => {
    if (isFree) setTold(false)
    if (!isHeld || (!isFree && !hasFailed)) return
    setHeld(false)
    if (isFree) goNow()
    else setTold(true)
  }, [isHeld, isFree, hasFailed])
  const press = () => {
    if (isFree) go()
    else if (hasFailed) setTold(true)
    else setHeld(true)
  }
  return { unsent, isHeld, isTold, press }
}
type First = ReturnType<typeof useRemarksFirst>

/** The comments that a step waits for, each with what can be done about it; nothing where there are none. */
export const UnsentFirst = ({ project, first: { unsent, isTold } }: { project: Project; first: First }) => {
  const user = useUser()
  const rows = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isTold) rows.current?.querySelector('button')?.focus()
  }, [isTold])
  if (unsent.length === 0) return null
  return (
    <section ref={rows} aria-label={messages.remarksWaiting} className="border-l-2 border-revisioning pl-3">
      <p role={isTold ? 'alert' : undefined} className={cx('text-[0.8125rem]', isTold ? 'text-danger' : 'text-muted')}>
        {messages.remarksFirst(unsent.length)}
      </p>
      <ol className="divide-y divide-line">
        {unsent.map((remark) => (
          <UnsentRow
            key={remark.id}
            remark={remark}
            isStaffs={project.userId !== user.id}
            onTakeBack={(one) => {
              takeBackRemark(one)
              toastUndo(messages.takenBack, () => postRemark(one))
            }}
          />
        ))}
      </ol>
    </section>
  )
}

type DialogProps = {
  project: Project
  remarks: readonly Remark[]
  /** The step's own words. */
  name: string
  onGo: () => void
  onEnd: () => void
}

/** Before a step that has no form: the comments that it waits for. Pressed for this already, it goes once those under way are there. */
export const UnsentFirstDialog = ({ project, remarks, name, onGo, onEnd }: DialogProps) => {
  const first = useRemarksFirst(project, remarks, { verb: 'approve' }, onGo)
  const press = useEffectEvent(first.press)
  useEffect(() => press(), [])
  return (
    <Dialog
      title={`${name}?`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onEnd()}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.stop}</Button>
          <Button variant="primary" isPending={first.isHeld} onPress={first.press}>
            {name}
          </Button>
        </>
      )}
    >
      <UnsentFirst project={project} first={first} />
    </Dialog>
  )
}
