import { useState } from 'react'
import type { Project } from '@clear-to-post/contract/projects'
import { workflow } from '@clear-to-post/domain/workflow'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields.tsx'
import type { Act } from './act.ts'
import { FormPanel } from './form-panel.tsx'
import { messages } from './messages.ts'
import { kept, useDraft } from './use-draft.ts'

type ReviewProps = {
  project: Project
  /** The number of the cut that should change. */
  cut: number
  act: Act
  /** How many comments will go along. */
  comments: number
  onClose: () => void
}

const keyOf = ({ id }: Project, cut: number): string => `review ${id} ${cut}`

/** A request that was begun and not sent; null when nothing was written. */
export const unsentReview = (project: Project, cut: number): string | null =>
  kept<string>(keyOf(project, cut))?.trim() || null

/** The revision request; says that the comments on the video go along. */
export const ReviewForm = ({ project, cut, act, comments, onClose }: ReviewProps) => {
  const [text, setText, clear] = useDraft(keyOf(project, cut), '')
  const [error, setError] = useState<string>()
  const send = () => {
    if (text.trim() === '') return setError(messages.reviewNeeds)
    act.review(cut, text.trim(), {
      onSuccess: () => {
        clear()
        onClose()
      },
    })
  }
  return (
    <FormPanel
      title={messages.reviewTitle}
      text={messages.reviewComments(comments)}
      onClose={onClose}
      actions={
        <Button variant="primary" size="large" isPending={act.pending === 'review'} onPress={send}>
          {workflow.review.label}
        </Button>
      }
    >
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
        }}
      />
    </FormPanel>
  )
}
