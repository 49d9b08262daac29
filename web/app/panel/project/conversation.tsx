import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { z } from 'zod'
import { requestId } from '@clear-to-post/contract/client'
import type { Comment } from '@clear-to-post/contract/comments'
import type { Project } from '@clear-to-post/contract/projects'
import { MessageSquareText, Paperclip, SendHorizontal } from 'lucide-react'
import { useMay, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { box } from '../../ui/fields.tsx'
import { clock, preciseClock } from '../../ui/player-time.ts'
import type { Transport } from '../../ui/player-transport.ts'
import { toastUndo } from '../../ui/toast-undo.ts'
import { messages } from './messages.ts'
import { RemarkWords } from './remark-words.tsx'
import { isPosted, postRemark, takeBackRemark, useUnsentRemarks, type UnsentRemark } from './unsent-remarks.ts'
import { UnsentRow } from './unsent-row.tsx'
import { kept, useDraft } from './use-draft.ts'

export type Remark = z.infer<typeof Comment>

type ConversationProps = {
  project: Project
  remarks: readonly Remark[]
  /** The number of the cut on the screen; null while a source is shown. */
  showing: number | null
  transport: Transport
  activeId: string | null
  onJump: (remark: Remark) => void
  composer: Ref<ComposerHandle>
}

/** Remarks on moments of the video, by time; those of older cuts below. Writing pauses the video, posting goes on. */
export const Conversation = ({
  project,
  remarks,
  showing,
  transport,
  activeId,
  onJump,
  composer,
}: ConversationProps) => {
  const current = project.currentCut ?? project.cuts
  const mayWrite = useMay('comment.write')
  const user = useUser()
  const box = useRef<ComposerHandle>(null)
  useImperativeHandle(composer, () => ({
    focus: () => box.current?.focus(),
    take: (draft) => box.current?.take(draft) === true,
  }))
  const kept = useUnsentRemarks(project.id)
  const unsent = kept.filter((remark) => !isPosted(remark, user.id, remarks))
  const numbers = [...new Set([...remarks, ...unsent].map(({ cut }) => cut))].sort((a, b) => b - a)
  useEffect(() => {
    for (const remark of kept) if (!remark.isSending && isPosted(remark, user.id, remarks)) takeBackRemark(remark)
  }, [kept, remarks, user.id])
  const takeBack = (remark: UnsentRemark) => {
    takeBackRemark(remark)
    // Back into the box, if nothing stands there.
    const { text, atMs, isInternal } = remark
    if (remark.cut === showing && box.current?.take({ text, at: atMs / 1000, isInternal })) return
    toastUndo(messages.takenBack, () => postRemark(remark))
  }
  return (
    <div className="grid gap-4">
      {mayWrite &&
        (showing !== null && (showing === current || hasDraft(project, showing)) ? (
          <Composer key={showing} ref={box} project={project} cut={showing} transport={transport} />
        ) : (
          <p className="text-[0.8125rem] text-muted">
            {project.finalVideoId ? messages.onlyCurrent(current) : messages.noCutYet}
          </p>
        ))}
      {remarks.length + unsent.length === 0 && (
        <div className="grid justify-items-center gap-1 py-6 text-center text-muted">
          <MessageSquareText aria-hidden className="mb-1 size-6" />
          <p className="font-medium text-ink">{messages.noComments}</p>
          {mayWrite ? (
            <>
              <p className="pointer-coarse:hidden">{messages.noCommentsText}</p>
              <p className="pointer-fine:hidden pointer-none:hidden">{messages.noCommentsTouch}</p>
            </>
          ) : (
            <p>{messages.noCommentsRead}</p>
          )}
        </div>
      )}
      {numbers.map((number) => (
        <section key={number} aria-label={messages.onCut(number)}>
          {numbers.length > 1 || number !== current ? (
            <h3 className="mb-1 font-sans text-[0.8125rem] font-medium text-muted">{messages.onCut(number)}</h3>
          ) : null}
          <ol className="divide-y divide-line">
            {[...remarks.filter(({ parentId }) => parentId === undefined), ...unsent]
              .filter(({ cut }) => cut === number)
              .toSorted((a, b) => a.atMs - b.atMs)
              .map((remark) =>
                'isSending' in remark ? (
                  <UnsentRow
                    key={remark.id}
                    remark={remark}
                    isStaffs={project.userId !== user.id}
                    onTakeBack={takeBack}
                  />
                ) : (
                  <RemarkRow
                    key={remark.id}
                    remark={remark}
                    answers={remarks.filter(({ parentId }) => parentId === remark.id)}
                    isActive={remark.id === activeId}
                    onJump={onJump}
                  />
                ),
              )}
          </ol>
        </section>
      ))}
    </div>
  )
}

const RemarkRow = ({
  remark,
  answers,
  isActive,
  onJump,
}: {
  remark: Remark
  answers: readonly Remark[]
  isActive: boolean
  onJump: (remark: Remark) => void
}) => {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const time = clock(remark.atMs / 1000)
  return (
    <li
      ref={row}
      aria-current={isActive || undefined}
      className={cx(
        'flex items-start gap-3 border-l-2 py-2.5 transition-[padding]',
        isActive ? 'border-l-coral pl-3' : 'border-l-transparent',
      )}
    >
      <button
        type="button"
        aria-label={messages.jump(time)}
        className="touch figures inline-flex h-7 min-w-13 shrink-0 items-center justify-center rounded-md bg-primary-tint px-2 font-mono text-[0.8125rem] font-medium text-primary-text hover:underline"
        onClick={() => onJump(remark)}
      >
        {time}
      </button>
      <div className="min-w-0 flex-1">
        <RemarkWords remark={remark} />
        {answers.length > 0 && (
          <ol aria-label={messages.answers} className="mt-2 grid gap-2 border-l-2 border-line pl-3">
            {answers.map((answer) => (
              <li key={answer.id}>
                <RemarkWords remark={answer} />
              </li>
            ))}
          </ol>
        )}
        {remark.attached && (
          <p className="mt-1 flex items-center gap-1 text-xs text-revisioning">
            <Paperclip aria-hidden className="size-3.5" />
            {messages.attached}
          </p>
        )}
      </div>
    </li>
  )
}

export type ComposerHandle = {
  focus: () => void
  /** Puts this into the box and answers true; false where something stands there already. */
  take: (draft: Draft) => boolean
}

/** What was begun stays where it is written, also when another cut has come: posting it says so. */
const hasDraft = (project: Project, cut: number): boolean => !!kept<Draft>(keyOfDraft(project, cut))?.text.trim()

const keyOfDraft = ({ id }: Project, cut: number): string => `comment ${id} ${cut}`

type ComposerProps = { project: Project; cut: number; transport: Transport; ref: Ref<ComposerHandle> }

// The time follows the video until the first letter; from then on it stays with what is written about.
const Composer = ({ project, cut, transport, ref }: ComposerProps) => {
  const user = useUser()
  const [draft, setDraft, , clear] = useDraft(keyOfDraft(project, cut), noDraft)
  const [now, setNow] = useState(transport.time())
  const area = useRef<HTMLTextAreaElement>(null)
  const resumes = useRef(false)
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    take: (taken) => {
      if (draft.text !== '') return false
      setDraft(taken)
      area.current?.focus()
      return true
    },
  }))
  useEffect(
    () =>
      transport.onTime((seconds) => {
        // Hundredths are shown only at rest; a running clock of tenths is calmer and cheaper.
        const shown = transport.state().playing ? Math.floor(seconds) : seconds
        setNow((before) => (before === shown ? before : shown))
      }),
    [transport],
  )
  const at = draft.at ?? now
  const isInternal = project.remarksAreInternal === true
  // Whom the first letter was meant for.
  const meant = draft.text === '' ? isInternal : (draft.isInternal ?? isInternal)
  const post = () => {
    const text = draft.text.trim()
    if (text === '') return
    const atMs = Math.round(at * 1000)
    const createdAt = new Date().toISOString()
    void postRemark({ id: requestId(), projectId: project.id, cut, atMs, text, isInternal: meant, createdAt })
    clear()
    area.current?.blur()
    if (resumes.current) transport.play()
    resumes.current = false
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        post()
      }}
    >
      <div className="flex items-start gap-2">
        <span className="figures mt-1 inline-flex h-7 min-w-18 shrink-0 items-center justify-center rounded-md border border-coral/50 px-2 font-mono text-[0.8125rem] text-coral-text">
          {draft.at === null ? clock(at) : preciseClock(at)}
        </span>
        <textarea
          ref={area}
          rows={1}
          maxLength={2000}
          value={draft.text}
          aria-label={`${messages.commentLabel}: ${clock(at)}`}
          placeholder={messages.commentPlaceholder}
          className={cx(
            box,
            'field-sizing-content max-h-48 min-h-9 resize-none px-3 py-1.5 max-md:min-h-11 max-md:py-2',
          )}
          onFocus={() => {
            if (!transport.state().playing) return
            resumes.current = true
            transport.pause()
          }}
          onChange={(event) => {
            const text = event.target.value
            setDraft({ text, at: text === '' ? null : (draft.at ?? transport.time()), isInternal: meant })
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              post()
            }
            if (event.key === 'Escape') area.current?.blur()
          }}
        />
      </div>
      {draft.text.trim() !== '' && (
        <div className="flex flex-wrap items-center justify-end gap-3">
          {project.userId !== user.id && (
            <p
              role="status"
              className={cx('flex-1 basis-40 text-[0.8125rem]', meant && !isInternal ? 'text-danger' : 'text-muted')}
            >
              {meant && !isInternal
                ? messages.officerWouldRead
                : isInternal
                  ? messages.staffReads
                  : messages.officerReads}
            </p>
          )}
          <kbd className="hidden font-mono text-xs text-muted pointer-fine:block">{messages.postKey}</kbd>
          <Button type="submit" variant="primary" size="small" icon={<SendHorizontal aria-hidden />}>
            {messages.post}
          </Button>
        </div>
      )}
    </form>
  )
}

type Draft = { text: string; at: number | null; isInternal?: boolean }
const noDraft: Draft = { text: '', at: null }
