import type { Project } from '@clear-to-post/contract/projects'
import { denyCategories, denyCategoryValues, feedbackScore } from '@clear-to-post/domain/feedback'
import { cx } from '../../ui/cx.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'

type Feedback = NonNullable<Project['feedback']>

/** What a reviewer scored and wrote; the weak points first catch the eye by their colour. */
export const FeedbackCard = ({
  title,
  feedback,
  categories,
}: {
  title: string
  feedback: Feedback
  categories?: unknown
}) => (
  <section aria-label={title} className="rounded-control border border-line">
    <header className="flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2.5">
      <h3 className="mr-auto text-sm">{title}</h3>
      {known(categories).map((category) => (
        <Badge key={category} tone="danger">
          {denyCategories[category]}
        </Badge>
      ))}
    </header>
    {feedback.comment && <p className="px-3.5 pt-3 [overflow-wrap:anywhere] whitespace-pre-line">{feedback.comment}</p>}
    <dl className="grid gap-2.5 px-3.5 py-3">
      {feedback.criteria.map(({ id, label, score, comment }) => (
        <div key={id} className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-x-3">
          <dt className="[overflow-wrap:anywhere]">{label}</dt>
          <dd className="contents">
            <span className="h-1 bg-sunken" aria-hidden>
              <span
                className={cx('block h-full', score < 6 ? 'bg-danger' : 'bg-edge')}
                style={{ width: `${(score / feedbackScore.max) * 100}%` }}
              />
            </span>
            <span className={cx('figures font-mono text-[0.8125rem]', score < 6 && 'font-medium text-danger')}>
              <span aria-hidden>{score}</span>
              <span className="sr-only">{messages.score(score)}</span>
            </span>
            {comment && (
              <span className="col-span-3 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">{comment}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

/** Feedback as a timeline item carries it, or null. */
export const feedbackIn = (metadata: Record<string, unknown>): Feedback | null => {
  const found = metadata['denyFeedback'] as Feedback | undefined
  return Array.isArray(found?.criteria) ? found : null
}

const known = (categories: unknown) =>
  Array.isArray(categories) ? denyCategoryValues.filter((one) => categories.includes(one)) : []
