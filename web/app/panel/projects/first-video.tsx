import { lazy, Suspense } from 'react'
import { Plus, Video } from 'lucide-react'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { messages } from './messages.ts'

// Who has sent a video in needs none of it.
const FirstScriptList = lazy(() => import('./first-scripts.tsx').then((module) => ({ default: module.FirstScripts })))
const FirstSampleClip = lazy(() => import('./first-sample.tsx').then((module) => ({ default: module.FirstSample })))
const FirstScripts = () => (
  <Suspense>
    <FirstScriptList />
  </Suspense>
)

/** What an officer finds before the first video: how it goes, and the way in. */
export const FirstVideo = () => (
  <section className="mx-auto grid w-full max-w-2xl justify-items-center gap-4 py-[min(8dvh,4rem)] text-center">
    <h2 className="text-3xl font-bold">{messages.emptyTitle}</h2>
    <p className="max-w-md text-base text-muted">{messages.emptyText}</p>
    <div className="mt-1 flex flex-wrap justify-center gap-2">
      <LinkButton to={paths.record} variant="primary" size="large" icon={<Video aria-hidden />}>
        {messages.recordFirst}
      </LinkButton>
      <LinkButton to={paths.newVideo} size="large" icon={<Plus aria-hidden />}>
        {messages.newVideo}
      </LinkButton>
    </div>
    <Suspense fallback={<span className="block h-96" />}>
      <FirstSampleClip />
    </Suspense>
    <FirstScripts />
    <ol className="mt-8 grid w-full text-left sm:grid-cols-3">
      {messages.steps.map((step, place) => (
        <li key={step} className="relative pr-6 pb-6">
          <span aria-hidden className="ruler block h-3" />
          <span aria-hidden className="absolute top-0 left-0 h-4 w-0.5 bg-coral" />
          <span className="figures mt-2 block font-mono text-xs text-muted">0{place + 1}</span>
          <span className="font-medium">{step}</span>
        </li>
      ))}
    </ol>
  </section>
)
