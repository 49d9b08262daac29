import { locale } from '../../language.ts'
import { cx } from '../../ui/cx.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import type { Form } from './trigger-data.ts'
import { usePreview } from './use-triggers.ts'
import { momentWords, zoneWords } from './words.ts'

/** What the settings in the form would do: how many people, when, and what they see. */
export const TriggerPreview = ({ form, due }: { form: Form; due?: string | undefined }) => {
  const preview = usePreview(form, due)
  const { users, nextExecutions } = preview.data ?? {}
  return (
    <section
      aria-labelledby="preview"
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <h2 id="preview" className="text-base">
        {messages.preview}
      </h2>
      <div role="status" className={cx('transition-opacity', preview.isPlaceholderData && 'opacity-60')}>
        {preview.isError ? (
          <p className="text-warn">{messages.countFailed}</p>
        ) : users === undefined ? (
          preview.isPending && preview.fetchStatus !== 'idle' ? (
            <>
              <span className="sr-only">{messages.counting}</span>
              <Skeleton className="h-8 w-40" />
            </>
          ) : (
            <p className="text-muted">{messages.needProduct}</p>
          )
        ) : (
          <p>
            <span className="figures font-display text-3xl font-bold">{users.toLocaleString(locale)}</span>{' '}
            {messages.peopleNow(users)}
          </p>
        )}
        {users === 0 && <p className="mt-1 text-[0.8125rem] text-muted">{messages.nobodyNow}</p>}
      </div>
      <div>
        <h3 className="font-sans text-[0.8125rem] font-medium tracking-normal">
          {nextExecutions?.length === 1 ? messages.onlyRun : messages.nextRuns}
          <span className="font-normal text-muted">, {zoneWords(form.timezone)}</span>
        </h3>
        {nextExecutions?.length === 0 ? (
          <p role="alert" className="mt-1.5 text-warn">
            {messages.noRuns}
          </p>
        ) : nextExecutions ? (
          <ol aria-label={messages.nextRuns} className="figures mt-1.5 grid gap-1">
            {nextExecutions.map((iso) => (
              <li key={iso}>{momentWords(iso, form.timezone)}</li>
            ))}
          </ol>
        ) : (
          !preview.isError && <Skeleton className="mt-1.5 h-5 w-48" />
        )}
      </div>
      <div>
        <h3 className="font-sans text-[0.8125rem] font-medium tracking-normal">{messages.asSeen}</h3>
        <div className="mt-1.5 grid justify-items-start gap-1.5 rounded-control border border-line bg-canvas p-3.5">
          <p className={cx('font-medium [overflow-wrap:anywhere]', !form.wordsTitle && 'text-muted')}>
            {form.wordsTitle || messages.sampleTitle}
          </p>
          <p className="[overflow-wrap:anywhere] whitespace-pre-line text-muted">
            {form.wordsBody || messages.sampleBody}
          </p>
          {form.ctaLabel.trim() && (
            <span className={cx(buttonLook({ variant: 'secondary', size: 'small' }), 'mt-1')}>{form.ctaLabel}</span>
          )}
        </div>
      </div>
    </section>
  )
}
