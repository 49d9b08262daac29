import { useEffect, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Clapperboard, Download, Play, RotateCw, Send, X } from 'lucide-react'
import { toast } from 'sonner'
import { edits, type Render } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { keyOf, query, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { leftWords, sizeWords, whenInSentence, whenWords } from '../../times.ts'
import { AnchorButton, Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Progress } from '../../ui/progress.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { useAct } from '../project/act.ts'
import { reviewedFiles } from '../project/reviewed-files.ts'
import { messages } from './messages.ts'
import type { Workbench } from './use-bench.ts'

/** The renders of a project and what can be done with them. Live events move them; the slow asking again is for when those fail. */
export const useRenders = (projectId: string, bench: Workbench | null) => {
  const client = useQueryClient()
  const params = { projectId }
  const list = useQuery({
    ...query(edits.renders, { params }),
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? 4000 : false),
  })
  const fresh = (render: Render) => {
    client.setQueryData<{ items: Render[] }>(keyOf(edits.renders, { params }), (before) => ({
      items: [render, ...(before?.items ?? []).filter(({ id }) => id !== render.id)],
    }))
    void client.invalidateQueries({ queryKey: keyOf(edits.renders, { params }) })
  }
  const on = { onSuccess: fresh, onError: toastFailure }
  const ask = useCall(edits.render, {
    ...on,
    onSuccess: (render) => {
      fresh(render)
      if (!isOpen(render)) toast.success(messages.renderThere)
    },
  })
  const cancel = useCall(edits.cancelRender, on)
  const retry = useCall(edits.retryRender, on)
  const items = list.data?.items ?? []
  return {
    list,
    items,
    running: items.find(isOpen),
    done: items.find(({ state }) => state === 'done'),
    isAsking: ask.isPending || retry.isPending,
    isCanceling: cancel.isPending,
    /** Saves first: what is rendered is what is seen. */
    render: async () => {
      try {
        const revision = await bench!.flush()
        ask.mutate({ params, body: { revision } })
      } catch (error) {
        toastFailure(error)
      }
    },
    cancel: (renderId: string) => cancel.mutate({ params: { renderId } }),
    retry: (renderId: string) => retry.mutate({ params: { renderId } }),
  }
}
export type Renders = ReturnType<typeof useRenders>

/** Says aloud when a render that was watched from here comes to its end. */
export const useRenderNews = ({ items }: Renders) => {
  const said = useRef<string | null>(null)
  const newest = items[0]
  useEffect(() => {
    if (!newest) return
    const now = `${newest.id} ${newest.state}`
    const before = said.current
    said.current = now
    if (before === null || before === now || !before.startsWith(newest.id)) return
    if (newest.state === 'done') toast.success(messages.renderDone)
    if (newest.state === 'failed') toast.error(newest.reason ?? messages.renderFailed)
  }, [newest])
}

const isOpen = ({ state }: Render): boolean => state === 'queued' || state === 'running'

type RenderPanelProps = {
  project: Project
  bench: Workbench
  renders: Renders
  watched: string | null
  onWatch: (render: Render) => void
}

/** The finished files: one under way, the newest, those before. */
export const RenderPanel = (props: RenderPanelProps) => (
  <Loaded
    answer={props.renders.list}
    failed={messages.rendersFailed}
    loading={
      <>
        <Skeleton className="mb-3 h-10 w-full" />
        <Skeleton className="h-24 w-full" />
      </>
    }
  >
    {() => <RenderList {...props} />}
  </Loaded>
)

const RenderList = ({ project, bench, renders, watched, onWatch }: RenderPanelProps) => {
  const act = useAct(project)
  const { items, running, done } = renders
  const newest = items[0]
  const isBehind = done !== undefined && (done.revision < bench.bench.revision || bench.bench.saving.state !== 'saved')
  const { data: cuts } = useQuery({
    ...query(projects.cuts, { params: { projectId: project.id } }),
    enabled: project.cuts > 0,
  })
  const isReviewed = reviewedFiles(cuts?.items).has(done?.asset?.assetId ?? '')
  const maySend = project.actions.includes('send') && !isReviewed
  return (
    <div className="grid gap-4">
      {running ? (
        <Running render={running} renders={renders} />
      ) : (
        <div className="grid gap-2">
          <p className="text-muted">
            {newest?.state === 'canceled' && (done === undefined || isBehind)
              ? messages.renderStopped
              : done === undefined
                ? messages.neverRendered
                : isBehind
                  ? messages.renderBehind(whenInSentence(done.askedAt))
                  : messages.renderFresh}
          </p>
          {isBehind && <Changes since={bench.recipeAt(done.revision)} recipe={bench.recipe} />}
          {newest?.state === 'failed' && (
            <p role="alert" className="rounded-control bg-danger-tint px-3 py-2 text-danger">
              {newest.reason ?? messages.renderFailed}
            </p>
          )}
          {bench.mayRender && (
            <div className="flex flex-wrap gap-2">
              <Button
                variant={done && !isBehind ? 'secondary' : 'primary'}
                icon={<Clapperboard aria-hidden />}
                isPending={renders.isAsking}
                onPress={() => void renders.render()}
              >
                {done ? messages.renderAgain : messages.render}
              </Button>
              {newest?.actions.includes('retry') && (
                <Button
                  icon={<RotateCw aria-hidden />}
                  onPress={() => renders.retry(newest.id)}
                  isPending={renders.isAsking}
                >
                  {messages.retryRender}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
      {items.some(({ state }) => state === 'done') && (
        <ol className="divide-y divide-line border-y border-line">
          {items
            .filter(({ state }) => state === 'done')
            .map((render) => (
              <li key={render.id} className="grid gap-2 py-3">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {whenWords(render.askedAt)}
                  {render === done && <Badge tone={isBehind ? 'plain' : 'primary'}>{messages.newest}</Badge>}
                  {render.asset && (
                    <span className="figures text-[0.8125rem] font-normal text-muted">
                      {sizeWords(render.asset.fileSize)}
                    </span>
                  )}
                </p>
                <ChangeList changes={render.changes} />
                <div className="flex flex-wrap gap-1.5">
                  <Button
                    size="small"
                    icon={<Play aria-hidden />}
                    className={cx(watched === render.id && 'bg-sunken')}
                    isDisabled={render.asset?.playUrl === undefined}
                    onPress={() => onWatch(render)}
                  >
                    {messages.watch}
                  </Button>
                  {render.asset?.assetUrl && (
                    <AnchorButton
                      href={render.asset.assetUrl}
                      download={render.asset.fileName}
                      size="small"
                      variant="quiet"
                      icon={<Download aria-hidden />}
                    >
                      {messages.download}
                    </AnchorButton>
                  )}
                  {render === done && maySend && (
                    <Button
                      size="small"
                      variant={isBehind ? 'secondary' : 'primary'}
                      icon={<Send aria-hidden />}
                      isPending={act.pending === 'send'}
                      isDisabled={render.asset?.state !== 'ready'}
                      onPress={() => render.asset && act.send(render.asset.assetId, {}, { olderIsMeant: isBehind })}
                    >
                      {messages.send}
                    </Button>
                  )}
                </div>
                {render === done && isReviewed && project.actions.includes('send') && (
                  <p className="text-[0.8125rem] text-muted">{messages.sendReviewed}</p>
                )}
                {render === done && isBehind && maySend && (
                  <p className="text-[0.8125rem] text-muted">{messages.sendBehind}</p>
                )}
              </li>
            ))}
        </ol>
      )}
      {project.cuts > 0 && (
        <p className="text-[0.8125rem] text-muted">
          <Link
            to={paths.project}
            params={{ projectId: project.id }}
            search={{ tab: 'cuts' }}
            className="text-primary-text underline underline-offset-2"
          >
            {messages.compareLink}
          </Link>{' '}
          {messages.compareText}
        </p>
      )}
    </div>
  )
}

/** What is different from a render's recipe, in words; nothing while that recipe was never here. */
const Changes = ({ since, recipe }: { since: Recipe | undefined; recipe: Recipe }) => {
  const [changes, setChanges] = useState<string[]>([])
  useEffect(() => {
    if (!since) return
    let isGone = false
    void import('@clear-to-post/edit/difference').then(
      ({ differenceOf }) => isGone || setChanges(differenceOf(since, recipe)),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [since, recipe])
  return <ChangeList changes={changes} />
}

const ChangeList = ({ changes }: { changes: readonly string[] }) =>
  changes.length > 0 && (
    <ul className="list-disc pl-5 text-[0.8125rem] [overflow-wrap:anywhere] text-muted">
      {changes.slice(0, 6).map((change) => (
        <li key={change}>{change}</li>
      ))}
      {changes.length > 6 && <li>{messages.moreChanges(changes.length - 6)}</li>}
    </ul>
  )

const Running = ({ render, renders }: { render: Render; renders: Renders }) => (
  <div className="grid gap-2 rounded-control border border-line p-3">
    <Progress
      label={render.stage ?? (render.state === 'queued' ? messages.queued : messages.rendering)}
      value={render.state === 'queued' ? null : (render.progress ?? null)}
      detail={render.secondsLeft === undefined || !render.progress ? undefined : leftWords(render.secondsLeft)}
    />
    <p className="text-[0.8125rem] text-muted">
      {render.state === 'running'
        ? messages.renderGoesOn
        : render.stage === undefined
          ? messages.queuedNext
          : messages.againNext}
    </p>
    {render.actions.includes('cancel') && (
      <Button
        size="small"
        variant="quiet"
        icon={<X aria-hidden />}
        className="justify-self-end"
        isPending={renders.isCanceling}
        onPress={() => renders.cancel(render.id)}
      >
        {messages.stopRender}
      </Button>
    )}
  </div>
)
