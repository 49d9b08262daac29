import { useEffect, useMemo, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Frame } from 'lucide-react'
import { edits, type Edit, type Render } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { captionTrack } from '@clear-to-post/edit/caption-track'
import { spanFrom, spanOfWords } from '@clear-to-post/edit/commands/cuts'
import {
  concernsOf,
  flatten,
  isCorrectable,
  isUnrecognised,
  passagesOf,
  type WordToken,
} from '@clear-to-post/edit/passages'
import type { Recipe, Span } from '@clear-to-post/edit/recipe'
import { timelineOf, windowsOf } from '@clear-to-post/edit/timeline'
import { keyOf, query } from '../../api.ts'
import { isForbidden } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlayerControls, useFullscreen } from '../../ui/player-controls.tsx'
import { EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { NoProject } from '../project/no-project.tsx'
import { BenchHead, BenchTools } from './bench-head.tsx'
import { needEmoji, useCanvasTools, useCanvasToolsFailed } from './canvas-tools.ts'
import { CaptionsPanel } from './captions-panel.tsx'
import { EndingPanel } from './ending-panel.tsx'
import { FirstCut } from './first-cut.tsx'
import { GlossaryDialog } from './glossary-dialog.tsx'
import { BenchKeySheet } from './key-sheet.tsx'
import { useWorkbenchKeys } from './keys.ts'
import { useLiveEdit } from './live-edit.ts'
import { messages } from './messages.ts'
import { PicturePanel } from './picture-panel.tsx'
import { Preview } from './preview.tsx'
import { RemakeDialog } from './remake-dialog.tsx'
import { RenderPanel, useRenderNews, useRenders } from './render-panel.tsx'
import { SaveState, SaveTrouble } from './save-state.tsx'
import { benchTabs, type BenchTab } from './search.ts'
import { Strip } from './strip.tsx'
import { TimelinePlayer } from './timeline-player.ts'
import { recipeOf, useBench } from './use-bench.ts'
import { useTranscriptSelection } from './use-transcript-selection.ts'
import { WatchDialog } from './watch-dialog.tsx'
import { WordEditor } from './word-editor.tsx'
import { WordsPane } from './words-pane.tsx'
import '../../ui/player.css'
import './workbench.css'

const route = getRouteApi('/panel/projects/$projectId/edit')

/** Where an editor edits: the words, the video as it will be, and what can be set. */
export const WorkbenchPage = () => {
  const { projectId } = route.useParams()
  const params = { projectId }
  const project = useQuery(query(projects.find, { params }))
  const edit = useQuery({
    ...query(edits.find, { params }),
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' || state.data?.state === 'preparing' ? 3000 : false,
  })
  useLiveEdit(projectId)
  const document = edit.data?.recipe
  // A new answer with the same recipe is no other recipe.
  const recipe = useMemo(() => recipeOf(document), [document])
  const error = project.error ?? edit.error
  if (project.data && edit.data)
    return edit.data.state === 'ready' && recipe ? (
      <Bench key={projectId} project={project.data} edit={edit.data} remote={recipe} />
    ) : (
      <>
        <BenchHead project={project.data} />
        <FirstCut edit={edit.data} unreadable={edit.data.state === 'ready'} />
      </>
    )
  if (project.data && isForbidden(edit.error))
    return (
      <div className="mx-auto max-w-3xl px-4 py-10">
        <EmptyState
          title={messages.forOfficers}
          text={messages.forOfficersText}
          action={
            <LinkButton to={paths.project} params={{ projectId }} variant="primary">
              {messages.toProject}
            </LinkButton>
          }
        />
      </div>
    )
  const again = () => {
    void project.refetch()
    void edit.refetch()
  }
  return error ? <NoProject error={error} title={messages.failed} onRetry={again} /> : <PageSkeleton />
}

const Bench = ({ project, edit, remote }: { project: Project; edit: Edit; remote: Recipe }) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const bench = useBench(edit, remote)
  const { recipe, change, mayWrite } = bench
  const renders = useRenders(project.id, bench)
  const tools = useCanvasTools()
  const easelFailed = useCanvasToolsFailed()
  const isWide = useMedia('(width >= 82rem)')

  const timeline = useMemo(() => timelineOf(recipe), [recipe])
  const measure = tools?.measure
  const track = useMemo(() => (measure ? captionTrack(recipe, measure, timeline) : null), [recipe, measure, timeline])
  useEffect(() => {
    if (track) needEmoji(track.pages.flatMap(({ emoji }) => emoji?.emoji ?? []))
  }, [track])
  const passages = useMemo(() => passagesOf(recipe), [recipe])
  const flat = useMemo(() => flatten(passages), [passages])
  const concerns = useMemo(() => concernsOf(passages), [passages])
  const assets = useMemo(() => new Map(edit.assets.map((asset) => [asset.assetId, asset])), [edit.assets])

  const [player] = useState(() => new TimelinePlayer())
  useEffect(() => {
    player.onExpired = () =>
      client.invalidateQueries({ queryKey: keyOf(edits.find, { params: { projectId: project.id } }) })
    player.from(
      new Map(
        recipe.sources.flatMap(({ id, assetId }) => {
          const address = assets.get(assetId)?.playUrl
          return address ? [[id, address] as const] : []
        }),
      ),
    )
  }, [player, client, project.id, recipe.sources, assets])
  useEffect(() => player.show(timeline), [player, timeline])
  useEffect(() => () => player.pause(), [player])

  const [editing, setEditing] = useState<string | null>(null)
  const [help, setHelp] = useState(false)
  const [glossary, setGlossary] = useState(false)
  const [remaking, setRemaking] = useState(false)
  const [watched, setWatched] = useState<Render | null>(null)
  const [showsSafe, setShowsSafe] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const fullscreen = useFullscreen(stage)

  const tab: BenchTab = search.tab ?? (isWide ? 'captions' : 'words')
  const openTab = (next: BenchTab) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })

  const firstSeen = (span: Span): number | null => {
    const [window] = windowsOf(timeline, span)
    return window ? (window.from + 0.5) / (timeline.fps.num / timeline.fps.den) : null
  }
  const hand = useTranscriptSelection({
    bench,
    timeline,
    player,
    flat,
    concerns,
    onConcern: () => !isWide && tab !== 'words' && openTab('words'),
  })
  const { selection, selected, words, range, select, cut, goTo, accept, mark } = hand
  const opened = flat.filter((token): token is WordToken => token.key === editing && token.kind === 'word')
  const isPassage = opened.every((token) => words.includes(token)) && words.every(isUnrecognised)
  const together = opened.length > 0 && isPassage ? words : opened
  const [edited] = together
  useRenderNews(renders)

  useWorkbenchKeys({
    player,
    cut,
    correct: () => mayWrite && isCorrectable(words) && setEditing(words[0]!.key),
    concern: goTo,
    accept,
    mark,
    undo: bench.undo,
    redo: bench.redo,
    save: () => void bench.flush().catch(() => {}),
    fullscreen: fullscreen.toggle,
    safe: () => setShowsSafe((before) => !before),
    help: () => setHelp(true),
  })

  const pane = (
    <WordsPane
      bench={bench}
      notes={edit.transcript?.notes ?? []}
      timeline={timeline}
      player={player}
      passages={passages}
      concerns={concerns}
      selection={selection}
      selected={selected}
      range={range}
      onSelect={select}
      onEdit={({ key }) => setEditing(key)}
      onCut={cut}
      onAccept={accept}
      onConcern={goTo}
      onWords={() => setRemaking(true)}
    />
  )
  const wordSpan = () =>
    spanOfWords(
      recipe,
      words.map(({ word }) => word.id),
    )
  const poster = assets.get(recipe.sources[0]?.assetId ?? '')
  const tabs = benchTabs.filter((key) => !isWide || key !== 'words')
  const shownTab = tabs.includes(tab) ? tab : 'captions'

  return (
    <div className="flex flex-col lg:h-dvh lg:min-h-[34rem]">
      <BenchHead project={project} state={<SaveState bench={bench.bench} />}>
        <BenchTools
          project={project}
          edit={edit}
          bench={bench}
          renders={renders}
          onGlossary={() => setGlossary(true)}
          onHelp={() => setHelp(true)}
          onRemake={() => setRemaking(true)}
          onRender={() => {
            openTab('renders')
            if (!renders.running) void renders.render()
          }}
        />
      </BenchHead>
      <SaveTrouble bench={bench} theirsAreHere={edit.revision > bench.bench.revision} />
      {edit.reason && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-danger-tint px-4 py-2 text-danger md:px-6"
        >
          <p className="min-w-0 flex-1 basis-64">{messages.remakeFailed(edit.reason)}</p>
          {mayWrite && (
            <Button size="small" onPress={() => setRemaking(true)}>
              {messages.giveWordsShort}
            </Button>
          )}
        </div>
      )}
      {easelFailed && (
        <p role="alert" className="border-b border-line bg-danger-tint px-4 py-2 text-danger md:px-6">
          {messages.fontsFailed}
        </p>
      )}
      <div className="bench">
        <div data-stays-on-top className="bench-top">
          <section ref={stage} className="player bench-player" aria-label={messages.title(project.title)}>
            <Preview
              player={player}
              recipe={recipe}
              timeline={timeline}
              track={track}
              tools={tools}
              assets={assets}
              showsSafe={showsSafe}
              label={project.title}
            />
            <PlayerControls transport={player} fullscreen={fullscreen} onHelp={() => setHelp(true)}>
              <button
                type="button"
                className="player-control aria-pressed:bg-primary-tint aria-pressed:text-primary-text"
                data-roomy
                aria-pressed={showsSafe}
                aria-label={messages.safe}
                title={`${messages.safe} (G)`}
                onClick={() => setShowsSafe(!showsSafe)}
              >
                <Frame aria-hidden />
              </button>
            </PlayerControls>
          </section>
          <div className="bench-strip">
            <Strip
              player={player}
              recipe={recipe}
              timeline={timeline}
              assets={assets}
              range={range}
              selected={words.length > 0 ? words.flatMap(({ word }) => windowsOf(timeline, word)) : []}
            />
          </div>
        </div>
        {isWide && (
          <section aria-label={messages.transcript} className="bench-pane bench-words">
            {pane}
          </section>
        )}
        <section aria-label={messages.settings} className={cx('bench-pane', isWide ? 'bench-side' : 'bench-words')}>
          <Tabs
            label={messages.settings}
            value={shownTab}
            onChange={openTab}
            items={tabs.map((key) => ({ key, label: messages[key] }))}
            className="bench-tabs"
          >
            {(key) =>
              key === 'words' ? (
                pane
              ) : (
                <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-5 max-lg:overflow-visible">
                  {key === 'captions' ? (
                    <CaptionsPanel
                      bench={bench}
                      tools={tools}
                      poster={poster?.posterUrl ?? poster?.thumbnailUrl}
                      spanHere={() => wordSpan() ?? spanFrom(recipe, player.time(), 600_000)}
                      secondsOf={firstSeen}
                    />
                  ) : key === 'picture' ? (
                    <PicturePanel
                      bench={bench}
                      seek={(span) => player.seek(firstSeen(span) ?? 0)}
                      secondsOf={firstSeen}
                      selectedSpan={wordSpan}
                    />
                  ) : key === 'ending' ? (
                    <EndingPanel bench={bench} />
                  ) : (
                    <RenderPanel
                      project={project}
                      bench={bench}
                      renders={renders}
                      watched={watched?.id ?? null}
                      onWatch={(render) => {
                        player.pause()
                        setWatched(render)
                      }}
                    />
                  )}
                </div>
              )
            }
          </Tabs>
        </section>
      </div>
      {edited && (
        <WordEditor
          key={edited.key}
          token={edited}
          together={together}
          hasEmoji={recipe.captions.style === 2 || recipe.captions.style === 3}
          change={change}
          onClose={() => setEditing(null)}
        />
      )}
      <BenchKeySheet isOpen={help} onClose={() => setHelp(false)} />
      <GlossaryDialog project={project} mayWrite={mayWrite} isOpen={glossary} onClose={() => setGlossary(false)} />
      <RemakeDialog edit={edit} isOpen={remaking} onClose={() => setRemaking(false)} />
      {watched && <WatchDialog render={watched} onClose={() => setWatched(null)} />}
    </div>
  )
}

const PageSkeleton = () => (
  <Loading>
    <div className="flex min-h-14 items-center border-b border-line bg-surface px-4 max-[22rem]:min-h-22 md:px-6">
      <Skeleton className="h-6 w-56" />
    </div>
    <div className="bench lg:h-[calc(100dvh-3.5rem)]">
      <Skeleton className="bench-waits h-[45svh] w-full rounded-card max-md:h-[calc(22svh+8.25rem)] lg:h-full" />
      <Skeleton className="h-96 w-full rounded-card lg:h-full" />
      <Skeleton className="hidden h-full w-full rounded-card min-[82rem]:block" />
    </div>
  </Loading>
)
