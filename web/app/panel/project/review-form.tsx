import { useState } from 'react'
import type { Project } from '@clear-to-post/contract/projects'
import { workflow } from '@clear-to-post/domain/workflow'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { clock } from '../../ui/player-time.ts'
import type { Act } from './act.ts'
import type { Remark } from './conversation.tsx'
import { FormPanel } from './form-panel.tsx'
import { messages } from './messages.ts'
import { UnsentFirst, useRemarksFirst } from './unsent-first.tsx'
import { kept, useDraft, writtenSince } from './use-draft.ts'

type ReviewProps = {
  project: Project
  /** The number of the cut that should change. */
  cut: number
  act: Act
  remarks: readonly Remark[]
  onClose: () => void
}

const keyOf = ({ id }: Project, cut: number): string => `review ${id} ${cut}`

/** A request that was begun and not sent; null when nothing was written. */
export const unsentReview = (project: Project, cut: number): string | null =>
  kept<string>(keyOf(project, cut))?.trim() || null

/** The revision request; says that the comments on the video go along. */
export const ReviewForm = ({ project, cut, act, remarks, onClose }: ReviewProps) => {
  const [text, setText, sent] = useDraft(keyOf(project, cut), '')
  const [error, setError] = useState<string>()
  // What will go along.
  const comments = remarks.filter(
    ({ attached, parentId, isDeleted, isInternal }) => !attached && !parentId && !isDeleted && !isInternal,
  )
  const first = useRemarksFirst(project, remarks, { verb: 'review', cut }, () => {
    if (text.trim() === '') return setError(messages.reviewNeeds)
    const pressed = text
    act.review(cut, text.trim(), {
      onSuccess: () => {
        if (sent(pressed, writtenSince) === null) onClose()
      },
    })
  })
  const send = () => (text.trim() === '' ? setError(messages.reviewNeeds) : first.press())
  return (
    <FormPanel
      title={messages.reviewTitle}
      text={[
        messages.reviewComments(comments.length),
        project.revisionsLeft === undefined ? '' : messages.revisionsLeft(Math.max(0, project.revisionsLeft - 1)),
      ]
        .filter(Boolean)
        .join(' ')}
      onClose={onClose}
      actions={
        <Button variant="primary" size="large" isPending={act.pending === 'review' || first.isHeld} onPress={send}>
          {workflow.review.label}
        </Button>
      }
    >
      {comments.length > 0 && (
        <ul aria-label={messages.goesAlong} className="grid gap-1.5 border-l-2 border-revisioning pl-3">
          {comments.map(({ id, atMs, text }) => (
            <li key={id} className="flex gap-2.5">
              <span className="figures shrink-0 font-mono text-[0.8125rem] text-muted">{clock(atMs / 1000)}</span>
              <span className="[overflow-wrap:anywhere] whitespace-pre-line">{text}</span>
            </li>
          ))}
        </ul>
      )}
      <UnsentFirst project={project} first={first} />
      <TextArea
        label={messages.reviewText}
        placeholder={messages.reviewPlaceholder}
        maxLength={5000}
        value={text}
        error={error}
        onChange={(value) => {
          setError(undefined)
          setText(value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          // Escape closes the form around it.
          else event.continuePropagation()
        }}
      />
    </FormPanel>
  )
}
