import { lazy, Suspense } from 'react'
import { Link } from '@tanstack/react-router'
import { ArrowRight, CloudUpload } from 'lucide-react'
import { paths } from '../../paths.ts'
import { percentWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { useWaiting, type Waiting } from './follow.ts'
import { messages } from './messages.ts'

// Bars, questions and reasons: only who has files under way needs them.
const TrayRows = lazy(() => import('./tray-rows.tsx').then((module) => ({ default: module.TrayRows })))

/** The tray in the side bar: every file on its way or waiting to be submitted, on every page but the one that shows them anyway. */
export const UploadTray = ({ className }: { className?: string }) => {
  const { items } = useWaiting()
  if (items.length === 0) return null
  return (
    <section aria-label={messages.tray} className={cx('rounded-control border border-line', className)}>
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-2 font-sans text-[0.8125rem] font-medium tracking-normal">
        <CloudUpload aria-hidden className="size-4 text-muted" />
        {messages.tray}
      </h2>
      <Suspense fallback={<div className="max-h-64" style={{ height: `${items.length * 3.75}rem` }} />}>
        <TrayRows items={items} />
      </Suspense>
      {items.some(isForNewVideo) && (
        <Link
          to={paths.newVideo}
          className="touch flex h-9 items-center justify-between border-t border-line px-3 text-[0.8125rem] font-medium text-primary-text -outline-offset-2 hover:underline"
        >
          {messages.finish}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </section>
  )
}

/** The same as one line above the bottom bar of a phone. */
export const UploadStrip = () => {
  const { items } = useWaiting()
  const moving = items.filter(({ phase }) => phase === 'sending' || phase === 'paused')
  const project = items.map(({ upload, asset }) => upload?.projectId ?? asset?.projectId).find(Boolean)
  const [first] = moving
  if (items.length === 0) return null
  const sent = moving.reduce((sum, { upload }) => sum + (upload?.sentBytes ?? 0), 0)
  const total = moving.reduce((sum, { upload }) => sum + (upload?.fileSize ?? 0), 0)
  const isPaused = moving.some(({ phase }) => phase === 'paused')
  const words =
    first === undefined
      ? project
        ? messages.toProject
        : messages.videosWaiting(items.filter(isForNewVideo).length)
      : isPaused
        ? messages.paused
        : `${messages.sending} ${percentWords(sent / total)}`
  return (
    <Link
      {...(project ? { to: paths.project, params: { projectId: project } } : { to: paths.newVideo })}
      data-upload-strip
      className="relative flex min-h-11 items-center gap-2 border-t border-line bg-surface px-4 text-[0.8125rem] font-medium"
    >
      <CloudUpload aria-hidden className="size-4 text-muted" />
      <span className="figures flex-1">{words}</span>
      {first !== undefined && (
        <span
          aria-hidden
          className={cx('absolute -top-px left-0 h-0.5', isPaused ? 'bg-warn' : 'bg-primary')}
          style={{ width: `${(100 * sent) / total}%` }}
        />
      )}
    </Link>
  )
}

const isForNewVideo = ({ upload, asset, phase }: Waiting): boolean =>
  !(upload?.projectId ?? asset?.projectId) && !['refused', 'rejected', 'failed'].includes(phase)
