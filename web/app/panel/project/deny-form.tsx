import { useState } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { feedback } from '@clear-to-post/contract/feedback'
import type { Project } from '@clear-to-post/contract/projects'
import {
  denyCategories,
  denyCategoryValues,
  feedbackCriteria,
  feedbackScore,
  type DenyCategory,
} from '@clear-to-post/domain/feedback'
import { query, queryClient } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { labelLook, TextArea, TextField } from '../../ui/fields.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import type { Act } from './act.ts'
import type { Remark } from './conversation.tsx'
import { FormPanel } from './form-panel.tsx'
import { messages } from './messages.ts'
import { UnsentFirst, useRemarksFirst } from './unsent-first.tsx'
import { kept, useDraft } from './use-draft.ts'

type Draft = {
  scores: Record<string, number>
  notes: Record<string, string>
  categories: DenyCategory[]
  comment: string
}
const blank: Draft = { scores: {}, notes: {}, categories: [], comment: '' }

const keyOf = ({ id }: Project, cut: number): string => `deny ${id} ${cut}`

/** A denial of this cut that was begun and not sent, as text; null when nothing was written. */
export const unsentDenial = (project: Project, cut: number): string | null => {
  const draft = kept<Draft>(keyOf(project, cut))
  if (draft === null) return null
  const listed = queryClient.getQueryData(query(feedback.criteria, {}).queryKey)?.criteria ?? feedbackCriteria
  const lines = [
    ...listed.flatMap(({ id, label }) => {
      const [score, note] = [draft.scores[id] ?? feedbackScore.max, draft.notes[id]?.trim()]
      if (score === feedbackScore.max && !note) return []
      return [`${label}: ${messages.score(score)}${note ? `. ${note}` : ''}`]
    }),
    draft.categories.map((one) => denyCategories[one]).join(', '),
    draft.comment.trim(),
  ]
  return lines.filter((line) => line !== '').join('\n') || null
}

type DenyProps = {
  project: Project
  /** The number of the cut that is denied. */
  cut: number
  act: Act
  remarks: readonly Remark[]
  onClose: () => void
}

/** Scores with remarks, reasons and a sentence. Stands beside the video, so that the cut can be watched while it is judged. */
export const DenyForm = ({ project, cut, act, remarks, onClose }: DenyProps) => {
  const [draft, setDraft, sent] = useDraft(keyOf(project, cut), blank)
  const [missing, setMissing] = useState(false)
  // Asked each time: an admin may have changed the list, and an old one must not show first.
  const list = useQuery({ ...query(feedback.criteria, {}), staleTime: 0 })
  const listed = list.isFetchedAfterMount ? list.data?.criteria : undefined
  const first = useRemarksFirst(project, remarks, { verb: 'deny', cut }, () => {
    if (listed === undefined) return
    if (draft.categories.length === 0) return setMissing(true)
    const criteria = listed.map(({ id, label }) => {
      const comment = draft.notes[id]?.trim()
      return { id, label, score: draft.scores[id] ?? feedbackScore.max, ...(comment ? { comment } : {}) }
    })
    const comment = draft.comment.trim()
    const pressed = draft
    act.deny(
      { denyFeedback: { criteria, ...(comment ? { comment } : {}) }, categories: draft.categories, cut },
      {
        onSuccess: () => {
          if (sent(pressed) === null) onClose()
        },
        onError: () => void list.refetch(),
      },
    )
  })
  const send = () => (draft.categories.length === 0 ? setMissing(true) : first.press())
  return (
    <FormPanel
      title={messages.denyTitle(cut)}
      text={messages.denyText}
      isReady={listed !== undefined}
      onClose={onClose}
      actions={
        <Button
          variant="danger"
          size="large"
          isPending={act.pending === 'deny' || first.isHeld}
          isDisabled={listed === undefined}
          onPress={send}
        >
          {messages.denyTitle(cut)}
        </Button>
      }
    >
      <Loaded
        answer={{ ...list, data: listed }}
        failed={messages.criteriaFailed}
        loading={
          <div className="grid divide-y divide-line border-y border-line">
            {[0, 1, 2, 3, 4].map((row) => (
              <div key={row} className="grid gap-3 py-3">
                <Skeleton className="h-5 w-28" />
                <Skeleton className="h-7" />
              </div>
            ))}
          </div>
        }
      >
        {(criteria) => (
          <div className="grid divide-y divide-line border-y border-line">
            {criteria.map(({ id, label }) => (
              <Criterion
                key={id}
                label={label}
                score={draft.scores[id] ?? feedbackScore.max}
                note={draft.notes[id] ?? ''}
                onScore={(score) => setDraft({ ...draft, scores: { ...draft.scores, [id]: score } })}
                onNote={(note) => setDraft({ ...draft, notes: { ...draft.notes, [id]: note } })}
              />
            ))}
          </div>
        )}
      </Loaded>
      <CheckboxGroup
        value={draft.categories}
        onChange={(categories) => {
          setMissing(false)
          setDraft({ ...draft, categories: denyCategoryValues.filter((one) => categories.includes(one)) })
        }}
        isInvalid={missing}
        className="grid gap-2"
      >
        <Label className={labelLook}>{messages.categories}</Label>
        <div className="flex flex-wrap gap-2">
          {denyCategoryValues.map((category) => (
            <AriaCheckbox
              key={category}
              value={category}
              className="touch inline-flex h-9 cursor-pointer items-center gap-1.5 rounded-full border border-edge px-3.5 select-none hover:bg-sunken data-selected:border-primary data-selected:bg-primary-tint data-selected:text-primary-text"
            >
              {({ isSelected }) => (
                <>
                  {isSelected && <Check aria-hidden className="size-4" />}
                  {denyCategories[category]}
                </>
              )}
            </AriaCheckbox>
          ))}
        </div>
        <p
          role={missing ? 'alert' : undefined}
          className={cx('text-[0.8125rem]', missing ? 'text-danger' : 'text-muted')}
        >
          {missing ? messages.categoriesNeeded : messages.categoriesHint}
        </p>
      </CheckboxGroup>
      <TextArea
        label={messages.denyComment}
        placeholder={messages.denyPlaceholder}
        rows={2}
        isRequired={false}
        maxLength={5000}
        value={draft.comment}
        onChange={(comment) => setDraft({ ...draft, comment })}
      />
      <UnsentFirst project={project} first={first} />
    </FormPanel>
  )
}

type CriterionProps = {
  label: string
  score: number
  note: string
  onScore: (score: number) => void
  onNote: (note: string) => void
}

// The ruler once more: eleven ticks to score on. A point off asks what about it.
const Criterion = ({ label, score, note, onScore, onNote }: CriterionProps) => (
  <div className="grid gap-2 py-3">
    <Slider
      value={score}
      onChange={onScore}
      minValue={feedbackScore.min}
      maxValue={feedbackScore.max}
      step={1}
      className="grid gap-1"
    >
      <div className="flex items-baseline justify-between">
        <Label className="font-medium">{label}</Label>
        <SliderOutput className={cx('font-mono text-sm', score < 6 ? 'text-danger' : 'text-ink')}>
          {() => `${score} / ${feedbackScore.max}`}
        </SliderOutput>
      </div>
      <SliderTrack className="relative mx-2.5 h-9 cursor-pointer">
        {({ state }) => (
          <>
            <span className="absolute inset-x-0 top-1/2 h-0.5 -translate-y-1/2 bg-line" />
            {Array.from({ length: 11 }, (_, i) => (
              <span
                key={i}
                className={cx(
                  'absolute top-1/2 w-px -translate-y-1/2',
                  i % 5 === 0 ? 'h-4 bg-edge' : 'h-2.5 bg-edge/70',
                )}
                style={{ left: `${i * 10}%` }}
              />
            ))}
            <span
              className="absolute top-1/2 left-0 h-0.5 -translate-y-1/2 bg-primary"
              style={{ width: `${state.getThumbPercent(0) * 100}%` }}
            />
            <SliderThumb className="top-1/2 size-5 rounded-full border-2 border-surface bg-primary outline-offset-2 data-dragging:bg-primary-hover" />
          </>
        )}
      </SliderTrack>
    </Slider>
    {(score < feedbackScore.max || note !== '') && (
      <TextField label={messages.scoreNote(label)} isRequired={false} maxLength={2000} value={note} onChange={onNote} />
    )}
  </div>
)
