import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import {
  ArrowLeft,
  BookA,
  Clapperboard,
  Ellipsis,
  Frame,
  Keyboard,
  Redo2,
  RotateCcw,
  Scissors,
  Undo2,
} from 'lucide-react'
import { toast } from 'sonner'
import { edits, type Edit, type Render } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { captionTrack } from '@clear-to-post/edit/caption-track'
import type { Recipe, Span } from '@clear-to-post/edit/recipe'
import { timelineOf, windowsOf, type Window } from '@clear-to-post/edit/timeline'
import { keyOf, query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { percentWords } from '../../times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuHeader, MenuItem, MenuLine, MenuSection } from '../../ui/menu.tsx'
import { PlayerControls, useFullscreen } from '../../ui/player-controls.tsx'
import { Player, useTransport } from '../../ui/player.tsx'
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CaptionsPanel } from './captions-panel.tsx'
import { acceptUnsaid, acceptWords, cutStretch, spanFrom, spanOfWords, toggleWords } from './commands.ts'
import { needEmoji, useEasel, useEaselFailed } from './easel.ts'
import { EndingPanel } from './ending-panel.tsx'
import { FirstCut, useMake, WordsForm } from './first-cut.tsx'
import { GlossaryDialog } from './glossary-dialog.tsx'
import { handOverItems } from './hand-over-menu.tsx'
import { BenchKeySheet } from './key-sheet.tsx'
import { useWorkbenchKeys } from './keys.ts'
import { useLiveEdit } from './live-edit.ts'
import { messages } from './messages.ts'
import { concernsOf, flatten, passagesOf, type WordToken } from './passages.ts'
import { PicturePanel } from './picture-panel.tsx'
import { Preview } from './preview.tsx'
import { RenderPanel, useRenders } from './render-panel.tsx'
import { SaveState, SaveTrouble } from './save-state.tsx'
import { benchTabs, type BenchTab } from './search.ts'
import { selectedTokens, wordsOf, type Selection } from './selection.ts'
import { Strip } from './strip.tsx'
import { frameOf, secondsOf, TimelinePlayer } from './timeline-player.ts'
import { idOf } from './transcript.tsx'
import { recipeOf, useBench } from './use-bench.ts'
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
  // eslint-disable-next-line react/exhaustive-deps -- a new answer with the same recipe is no other recipe
  const recipe = useMemo(() => (edit.data ? recipeOf(edit.data) : null), [document])
  const error = project.error ?? edit.error
  if (project.data && edit.data)
    return edit.data.state === 'ready' && recipe ? (
      <Bench key={projectId} project={project.data} edit={edit.data} theirs={recipe} />
    ) : (
      <>
        <Head project={project.data} />
        <FirstCut edit={edit.data} unreadable={edit.data.state === 'ready'} />
      </>
    )
  if (error)
    return (
      <div className="mx-auto max-w-3xl px-4 py-10">
        <ErrorState
          title={messages.failed}
          error={error}
          onRetry={() => {
            void project.refetch()
            void edit.refetch()
          }}
        />
      </div>
    )
  return <PageSkeleton />
}

const Bench = ({ project, edit, theirs }: { project: Project; edit: Edit; theirs: Recipe }) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const bench = useBench(edit, theirs)
  const { recipe, change, mayWrite } = bench
  const renders = useRenders(project.id, bench)
  const easel = useEasel()
  const easelFailed = useEaselFailed()
  const isWide = useMedia('(width >= 82rem)')

  const timeline = useMemo(() => timelineOf(recipe), [recipe])
  const measure = easel?.measure
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

  const [selection, setSelection] = useState<Selection | null>(null)
  const [marks, setMarks] = useState<{ in: number | null; out: number | null }>({ in: null, out: null })
  const [editing, setEditing] = useState<string | null>(null)
  const [help, setHelp] = useState(false)
  const [glossary, setGlossary] = useState(false)
  const [remaking, setRemaking] = useState(false)
  const [watched, setWatched] = useState<Render | null>(null)
  const [showsSafe, setShowsSafe] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const fullscreen = useFullscreen(stage)
  const selected = useMemo(() => selectedTokens(flat, selection), [flat, selection])
  const words = wordsOf(selected)
  const range: Window | null =
    marks.in !== null && marks.out !== null && marks.out > marks.in ? { from: marks.in, to: marks.out } : null
  const edited = flat.find((token): token is WordToken => token.key === editing && token.kind === 'word')

  const tab: BenchTab = search.tab ?? (isWide ? 'captions' : 'words')
  const openTab = (next: BenchTab) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })

  const momentOf = ({ source, start }: Pick<Span, 'source' | 'start'>) => secondsOf(timeline, source, start)
  const firstSeen = (span: Span): number | null => {
    const [window] = windowsOf(timeline, span)
    return window ? (window.from + 0.5) / (timeline.fps.num / timeline.fps.den) : null
  }
  const seek = (span: Pick<Span, 'source' | 'start'>) => {
    const seconds = momentOf(span)
    if (seconds !== null) player.seek(seconds)
  }
  const select = (next: Selection | null, how: 'click' | 'extend') => {
    setSelection(next)
    const token = flat.find(({ key }) => key === next?.focus)
    if (how === 'click' && token?.kind === 'word') seek(token.word)
  }
  const cut = () => {
    if (!mayWrite) return
    if (words.length > 0) {
      const isOut = words.every(({ out }) => out)
      change(
        (isOut ? messages.did.restored : messages.did.cut)(words.length),
        toggleWords(words.map(({ word }) => word.id)),
      )
    } else if (range) {
      change(messages.did.stretch, cutStretch(range.from, range.to))
      setMarks({ in: null, out: null })
    }
  }
  const goTo = (direction: 1 | -1) => {
    const here = flat.findIndex(({ key }) => key === selection?.focus)
    const placed = concerns.map((concern) => ({ concern, at: flat.findIndex(({ key }) => key === concern.key) }))
    const next =
      direction === 1
        ? (placed.find(({ at }) => at > here) ?? placed[0])
        : (placed.findLast(({ at, concern }) => at + concern.keys.length - 1 < here) ?? placed.at(-1))
    if (!next) return
    const { keys, key } = next.concern
    if (!isWide && tab !== 'words') openTab('words')
    setSelection({ anchor: key, focus: keys.at(-1)! })
    const token = flat[next.at]
    player.pause()
    if (token?.kind === 'word') seek(token.word)
    else if (token?.kind === 'unsaid') seek({ source: token.unsaid.source, start: token.unsaid.at })
    // The tab has to be there first.
    requestAnimationFrame(() => document.getElementById(idOf(key))?.scrollIntoView({ block: 'center' }))
  }
  const accept = () => {
    if (!mayWrite || selected.length === 0) return
    const unsaid = selected.flatMap((token) => (token.kind === 'unsaid' ? [token.unsaid.id] : []))
    change(messages.did.accepted, (before) =>
      unsaid.reduce((all, id) => acceptUnsaid(id)(all), acceptWords(words.map(({ word }) => word.id))(before)),
    )
  }
  const mark = (end: 'in' | 'out' | null) => {
    const at = frameOf(player.time(), timeline.fps)
    if (end === null) {
      setMarks({ in: null, out: null })
      setSelection(null)
    } else if (end === 'in') setMarks(({ out }) => ({ in: at, out: out !== null && out > at ? out : null }))
    else setMarks((before) => ({ in: before.in !== null && before.in <= at ? before.in : 0, out: at + 1 }))
    if (end !== null) setSelection(null)
  }

  const said = useRef<string | null>(null)
  const newest = renders.items[0]
  useEffect(() => {
    if (!newest) return
    const now = `${newest.id} ${newest.state}`
    const before = said.current
    said.current = now
    if (before === null || before === now || !before.startsWith(newest.id)) return
    if (newest.state === 'done') toast.success(messages.renderDone)
    if (newest.state === 'failed') toast.error(newest.reason ?? messages.renderFailed)
  }, [newest])

  useWorkbenchKeys({
    player,
    cut,
    correct: () => mayWrite && words.length === 1 && setEditing(words[0]!.key),
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
  const undone = bench.bench.past.at(-1)?.name
  const redone = bench.bench.future.at(-1)?.name

  return (
    <div className="flex flex-col lg:h-dvh lg:min-h-[34rem]">
      <Head project={project}>
        <SaveState bench={bench.bench} />
        <span className="grow" />
        {mayWrite && (
          <>
            <IconButton
              label={undone ? messages.undoOf(undone) : messages.undo}
              isDisabled={undone === undefined}
              onPress={bench.undo}
            >
              <Undo2 aria-hidden />
            </IconButton>
            <IconButton
              label={redone ? messages.redoOf(redone) : messages.redo}
              isDisabled={redone === undefined}
              onPress={bench.redo}
            >
              <Redo2 aria-hidden />
            </IconButton>
          </>
        )}
        <Menu
          label={messages.more}
          trigger={
            <IconButton label={messages.more}>
              <Ellipsis aria-hidden />
            </IconButton>
          }
        >
          <MenuSection>
            <MenuHeader className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{messages.handOver}</MenuHeader>
            {handOverItems(recipe, project)}
          </MenuSection>
          <MenuLine />
          <MenuItem icon={<BookA aria-hidden />} onAction={() => setGlossary(true)}>
            {messages.glossary}
          </MenuItem>
          <MenuItem icon={<Keyboard aria-hidden />} onAction={() => setHelp(true)}>
            {messages.keys}
          </MenuItem>
          {mayWrite && <MenuLine />}
          {mayWrite && edit.firstCut && (
            <MenuItem
              icon={<RotateCcw aria-hidden />}
              onAction={() => {
                const first = recipeOf({ ...edit, recipe: edit.firstCut })
                if (first) change(messages.reset, () => first)
              }}
            >
              {messages.reset}
            </MenuItem>
          )}
          {mayWrite && (
            <MenuItem icon={<Scissors aria-hidden />} onAction={() => setRemaking(true)}>
              {messages.remake}
            </MenuItem>
          )}
        </Menu>
        {mayWrite && (
          <Button
            variant="primary"
            icon={<Clapperboard aria-hidden />}
            isPending={renders.isAsking}
            className="sm:min-w-32"
            onPress={() => {
              openTab('renders')
              if (!renders.running) void renders.render()
            }}
          >
            {renders.running
              ? `${messages.rendering} ${renders.running.progress === undefined ? '' : percentWords(renders.running.progress)}`
              : messages.render}
          </Button>
        )}
      </Head>
      <SaveTrouble bench={bench} theirsAreHere={edit.revision > bench.bench.revision} />
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
              easel={easel}
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
                      easel={easel}
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
          hasEmoji={recipe.captions.style === 2 || recipe.captions.style === 3}
          change={change}
          onClose={() => setEditing(null)}
        />
      )}
      <BenchKeySheet isOpen={help} onClose={() => setHelp(false)} />
      <GlossaryDialog project={project} mayWrite={mayWrite} isOpen={glossary} onClose={() => setGlossary(false)} />
      <Remake edit={edit} isOpen={remaking} onClose={() => setRemaking(false)} />
      {watched && <Watch render={watched} onClose={() => setWatched(null)} />}
    </div>
  )
}

const Remake = ({ edit, isOpen, onClose }: { edit: Edit; isOpen: boolean; onClose: () => void }) => {
  const { isPending, make } = useMake(edit.projectId, onClose)
  return (
    <Dialog title={messages.remakeTitle} size="medium" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-4">
        <p className="text-muted">{messages.remakeText}</p>
        {edit.transcript && (
          <p className="text-[0.8125rem] text-muted">
            <span className="font-medium text-ink">{messages.how}:</span>{' '}
            {[edit.transcript.means, ...edit.transcript.notes].join(' ')}
          </p>
        )}
        <WordsForm script={edit.script} title={messages.whatIsSaid} isMain isPending={isPending} onMake={make} />
      </div>
    </Dialog>
  )
}

const Watch = ({ render, onClose }: { render: Render; onClose: () => void }) => {
  const transport = useTransport()
  const { asset } = render
  return (
    <Dialog title={messages.watchTitle} size="large" isOpen onOpenChange={(open) => !open && onClose()}>
      {asset && (
        <Player
          transport={transport}
          label={messages.watchTitle}
          media={[
            {
              id: asset.assetId,
              playUrl: asset.playUrl,
              posterUrl: asset.posterUrl,
              peaksUrl: asset.peaksUrl,
              filmstrip: asset.filmstrip,
              width: asset.width,
              height: asset.height,
            },
          ]}
        />
      )}
    </Dialog>
  )
}

const Head = ({ project, children }: { project: Project; children?: React.ReactNode }) => (
  <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 md:px-6">
    <title>{`${messages.title(project.title)} · Clear to Post`}</title>
    <Link
      to={paths.project}
      params={{ projectId: project.id }}
      aria-label={messages.back}
      className="grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken max-md:-ml-2 max-md:size-11"
    >
      <ArrowLeft aria-hidden className="size-5" />
    </Link>
    <h1 className="min-w-0 flex-1 truncate text-lg font-bold sm:max-w-[34ch] sm:flex-initial">{project.title}</h1>
    {children && (
      <div className="flex min-w-0 flex-1 items-center gap-1 justify-end max-sm:basis-full max-sm:flex-wrap max-sm:gap-x-0">
        {children}
      </div>
    )}
  </header>
)

const PageSkeleton = () => (
  <Loading>
    <div className="flex min-h-14 items-center border-b border-line bg-surface px-4 md:px-6">
      <Skeleton className="h-6 w-56" />
    </div>
    <div className="bench lg:h-[calc(100dvh-3.5rem)]">
      <Skeleton className="h-[45svh] w-full rounded-card lg:h-full" />
      <Skeleton className="h-96 w-full rounded-card lg:h-full" />
      <Skeleton className="hidden h-full w-full rounded-card min-[82rem]:block" />
    </div>
  </Loading>
)

const useMedia = (condition: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(condition)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(condition).matches,
  )
