import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LifeBuoy, Scissors } from 'lucide-react'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Player, PlayerLoading, useTransport } from '../../ui/player.tsx'
import { Loaded, Loading, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { homeOf } from '../entries.ts'
import { useAct } from './act.ts'
import { AnswerCard } from './answer-card.tsx'
import { BackLink } from '../page-head.tsx'
import { useHeadingFocus } from '../use-heading-focus.ts'
import { Actions, type OpenForm } from './actions.tsx'
import { Brief } from './brief.tsx'
import { Conversation, type ComposerHandle, type Remark } from './conversation.tsx'
import { CutPanel } from './cut-panel.tsx'
import { Deliver } from './deliver.tsx'
import { DenyForm, unsentDenial } from './deny-form.tsx'
import { History } from './history.tsx'
import { useReadAbout } from '../notifications/use-inbox.ts'
import { messages } from './messages.ts'
import { NewerCut } from './newer-cut.tsx'
import { NoProject } from './no-project.tsx'
import { Overtaken } from './overtaken.tsx'
import { PostsCard, usePosts } from '../publishing/posts-card.tsx'
import { reviewedFiles } from './reviewed-files.ts'
import { ReviewQueue, useReviewQueue } from './review-queue.tsx'
import { ReviewForm, unsentReview } from './review-form.tsx'
import { projectTabs, type ProjectSearch, type ProjectTab } from './search.ts'
import { MediaBar } from './media-bar.tsx'
import { currentOf, mediaOf, playableMediaOf } from './playable-media.ts'
import { ProgressCard } from './progress-card.tsx'
import { useProject } from './use-project.ts'
import { CutCaptions, useCutCaptions } from './cut-captions.tsx'
import { Cuts } from './cuts.tsx'
import { Status } from '@clear-to-post/domain/workflow'

const route = getRouteApi('/panel/projects/$projectId')

// Staff's own; officers never load it.
const Notes = lazy(() => import('../notes/notes.tsx').then((module) => ({ default: module.Notes })))

/** There is a cut to talk about. */
const discussed: readonly Status[] = [Status.completed, Status.waitingApproval, Status.scheduled]

/** A project for everybody who may see it: where it is, the video, the conversation, the history, and what to do now. */
export const ProjectPage = () => {
  const { projectId } = route.useParams()
  const data = useProject(projectId)
  useReadAbout(projectId)
  const { data: project, error } = data.project
  if (project) return <ProjectView key={projectId} {...data} project={project} />
  if (error) return <NoProject error={error} title={messages.failed} onRetry={() => void data.project.refetch()} />
  return <PageSkeleton />
}

type ViewProps = Omit<ReturnType<typeof useProject>, 'project'> & { project: Project }

const ProjectView = ({ project, cuts, comments, hasCut, isAtRest, renew }: ViewProps) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const queue = useReviewQueue(project)
  const go = (part: Partial<ProjectSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const transport = useTransport(search.t)
  const act = useAct(project)
  const composer = useRef<ComposerHandle>(null)
  const form = search.form ?? null
  const setForm = (open: OpenForm) =>
    go({ form: open ?? undefined, cut: open === null ? undefined : project.currentCut })
  // A form is about the cut for which it was opened, whatever comes while it is filled in.
  const reviewedCut = search.cut ?? project.currentCut ?? project.cuts
  const isOther = reviewedCut !== project.currentCut
  // The form stays until its own answer is there; whoever else acted meanwhile is told of below.
  const isOpen = form !== null && ((project.actions.includes(form) && !isOther) || act.pending === form)
  const unsent =
    form === null || isOpen
      ? null
      : form === 'deny'
        ? unsentDenial(project, reviewedCut)
        : unsentReview(project, reviewedCut)
  const isFilledIn = isOpen || unsent !== null
  useEffect(() => {
    if (form !== null && search.cut === undefined && project.currentCut !== undefined) go({ cut: project.currentCut })
  })
  const lastStep = project.timeline.reduce((a, b) => (b.timestamp >= a.timestamp ? b : a), project.timeline[0]!)
  const [activeId, setActiveId] = useState<string | null>(null)
  const inTurn = useMedia('(width < 48rem)')
  const [turn, setTurn] = useState(0)

  const playable = playableMediaOf(project, cuts.data?.items ?? [])
  // A cut on the screen stays there until the viewer chooses: another one that comes is announced below it. A source that
  // stands there because there was nothing else gives way to the first cut.
  const [first, setFirst] = useState<string | null>(null)
  const shown =
    playable.find(({ key }) => key === search.show) ?? playable.find(({ key }) => key === first) ?? playable[0]
  const [known, setKnown] = useState(project.currentCut)
  const captions = useCutCaptions(project.id, shown)
  const beside = playable.find(({ key }) => key === search.beside && key !== shown?.key)
  const awaitsCuts = hasCut && cuts.isPending
  useEffect(() => {
    if (first === null && isAtRest && !awaitsCuts && playable[0]?.cut) setFirst(playable[0].key)
  }, [first, isAtRest, awaitsCuts, playable])
  // Who makes the cut may have to leave the sending to somebody else.
  const makesCut = project.actions.includes('send') || project.withheld?.some(({ verb }) => verb === 'send')
  const current = currentOf(project, playable)
  const compared = beside ? [shown, beside] : [shown]
  const onScreen = inTurn ? [compared[turn] ?? shown] : compared
  // By its number: the list of cuts may come later than the video, or not at all.
  const isOnScreen = project.currentCut === undefined || onScreen.some((one) => one?.cut?.number === project.currentCut)
  // Who chose to watch a source knows of the cuts that were there.
  const isNews = !isOnScreen && (shown?.cut !== undefined || search.show === undefined || known !== project.currentCut)
  const show = (key: string) => {
    setKnown(project.currentCut)
    go({ show: key, beside: undefined })
  }
  // What nobody knows yet is taken for what most are, as in the page’s skeleton.
  const isPortrait = shown ? (shown.asset.height ?? 16) > (shown.asset.width ?? 9) : awaitsCuts
  const isTall = isPortrait && !beside

  const remarks = comments.data?.items ?? []
  const showing = shown?.cut?.number ?? null
  const marks = remarks
    .filter(({ cut, parentId, isDeleted }) => cut === showing && !parentId && !isDeleted)
    .map(({ id, atMs, text }) => ({ id, at: atMs / 1000, label: text }))
  // Who may ask for a revision has the video to use, unless it has posts, which are what counts then.
  const delivers = project.actions.includes('review') && !project.posts
  const final = playable.find(({ asset }) => asset.assetId === project.finalVideoId)

  const jump = (remark: Remark) => {
    setActiveId(remark.id)
    if (remark.cut !== showing) go({ show: `v${remark.cut}`, beside: undefined })
    transport.pause()
    transport.seek(remark.atMs / 1000)
  }
  // What stands below captions, the queue and the posts comes with them: it would move down as somebody is about to press it.
  const posts = usePosts(project)
  const isKnown = queue.isKnown && !awaitsCuts
  const isInPlace = isKnown && (!project.hasPosts || !posts.isPending || posts.failureCount > 0)
  const writeComment = () => {
    go({ tab: 'comments', form: undefined })
    // The tab has to be there first.
    requestAnimationFrame(() => composer.current?.focus())
  }
  // Whoever looks at a cut came for the conversation; everybody else for what was asked.
  const wanted: ProjectTab = search.tab ?? (hasCut && discussed.includes(project.status) ? 'comments' : 'brief')
  const readsNotes = useMay('note.read')
  const hasTab = (key: ProjectTab) => (key === 'cuts' ? hasCut : key === 'notes' ? readsNotes : true)
  const tab = hasTab(wanted) ? wanted : 'brief'

  // On a phone what is to be done stands over the fold; beside a form the video scrolls away, and this with it.
  const isBelow = inTurn && !isFilledIn
  const mediaBar = awaitsCuts ? (
    // One cut at least comes, beside the sources.
    playable.length > 0 && (
      <Loading>
        <div className="md:pt-3">
          <Skeleton className="touch h-10 w-72 max-w-full" />
        </div>
      </Loading>
    )
  ) : playable.length > 1 && shown ? (
    <MediaBar
      playable={playable}
      shown={shown}
      beside={beside}
      onChange={(part) => {
        setKnown(project.currentCut)
        go(part)
      }}
    />
  ) : null

  const actions = (finished: Asset | undefined) => (
    <Actions
      project={project}
      act={act}
      remarks={remarks}
      onForm={setForm}
      onShow={show}
      onScreen={isOnScreen ? null : (shown?.name ?? null)}
      delivers={delivers}
      deliver={finished?.assetUrl && <Deliver asset={finished} title={project.title} isMain={delivers} />}
    />
  )

  return (
    <>
      <Head project={project} />
      <div
        className={cx(
          'mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] items-start gap-4 px-4 pb-6 md:px-6 lg:gap-6 lg:py-5',
          isTall
            ? 'lg:grid-cols-[minmax(0,max(28rem,min(34vw,52svh)))_minmax(0,1fr)]'
            : 'lg:grid-cols-[minmax(0,1fr)_minmax(22rem,28rem)]',
        )}
      >
        <div className="max-md:contents lg:sticky lg:top-5 lg:[--player-room:calc(100svh-17.5rem)] [@media(height<30rem)]:static">
          <div
            // Beside a form, or on a low screen, it would leave the page no room: it scrolls with it.
            data-stays-on-top={form === null ? 'player' : undefined}
            className={cx(
              'max-md:-mx-4 [@media(height<40rem)]:static!',
              form === null && 'max-md:sticky max-md:top-14 max-md:z-10',
            )}
          >
            {shown && !awaitsCuts ? (
              <Player
                media={beside ? [mediaOf(shown), mediaOf(beside)] : [mediaOf(shown)]}
                transport={transport}
                label={`${project.title}, ${shown.name}`}
                marks={marks}
                onMark={({ id }) => {
                  setActiveId(id)
                  if (tab !== 'comments') go({ tab: 'comments' })
                }}
                onExpired={renew}
                inTurn={inTurn}
                onTurn={setTurn}
                isAside={form !== null}
                captions={captions}
                {...(showing === project.currentCut && showing !== null ? { onComment: writeComment } : {})}
              />
            ) : (
              <Loading>
                <PlayerLoading ratio={isTall ? 16 / 9 : 9 / 16} />
              </Loading>
            )}
            {shown && <NewerCut shown={shown} current={isNews ? current : undefined} onShow={show} />}
          </div>
          {!isBelow && mediaBar}
        </div>

        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
          <ProgressCard project={project}>
            {makesCut && (
              <CutPanel
                project={project}
                act={act}
                judged={reviewedFiles(cuts.data?.items)}
                onSent={(cut) => cut && show(`v${cut}`)}
              />
            )}
            {/* All at once: download and share come with the cuts, and would push aside what somebody is about to press. */}
            {awaitsCuts ? (
              <Loading>
                <div inert className="relative">
                  <div className="invisible">
                    {actions(project.assets?.find(({ assetId }) => assetId === project.finalVideoId))}
                  </div>
                  <Skeleton className="absolute inset-x-4 inset-y-3 md:inset-x-5" />
                </div>
              </Loading>
            ) : (
              actions(final?.asset)
            )}
          </ProgressCard>
          {/* Under the button that opens it, before everything else that is told. */}
          {form === 'deny' && isOpen ? (
            <DenyForm
              key={reviewedCut}
              project={project}
              cut={reviewedCut}
              act={act}
              remarks={remarks}
              onClose={() => setForm(null)}
            />
          ) : form === 'review' && isOpen ? (
            <ReviewForm
              key={reviewedCut}
              project={project}
              cut={reviewedCut}
              act={act}
              remarks={remarks}
              onClose={() => setForm(null)}
            />
          ) : unsent !== null ? (
            <Overtaken
              did={isOther ? messages.cutCame(project.currentCut ?? project.cuts) : lastStep.title}
              text={unsent}
              onClose={() => setForm(null)}
            />
          ) : null}
          {isBelow && mediaBar}
          <CutCaptions projectId={project.id} media={shown} />
          <div hidden={awaitsCuts} data-unsettled={awaitsCuts ? '' : undefined} className="contents">
            <ReviewQueue project={project} queue={queue} />
          </div>
          <div hidden={!isKnown} data-unsettled={isKnown ? undefined : ''} className="contents">
            {project.hasPosts && <PostsCard project={project} />}
          </div>
          <div hidden={!isInPlace} data-unsettled={isInPlace ? undefined : ''} className="contents">
            <AnswerCard project={project} />
            {!isFilledIn && (
              <section className="rounded-card border border-line bg-surface px-4 pt-1.5 pb-4 md:px-5 md:pb-5">
                <Tabs
                  label={project.title}
                  value={tab}
                  onChange={(key) => go({ tab: key })}
                  items={projectTabs.filter(hasTab).map((key) => ({
                    key,
                    label: messages.tabs[key],
                    ...(key === 'comments' && remarks.length > 0 ? { count: remarks.length } : {}),
                    ...(key === 'cuts' ? { count: cuts.data?.items.length ?? project.cuts } : {}),
                  }))}
                >
                  {(key) => (
                    <div className="pt-4">
                      {key === 'comments' ? (
                        <Loaded
                          answer={hasCut ? comments : { ...comments, data: { items: [] } }}
                          failed={messages.commentsFailed}
                          loading={rows}
                          className="grid gap-3"
                        >
                          {() => (
                            <Conversation
                              project={project}
                              remarks={remarks}
                              showing={showing}
                              transport={transport}
                              activeId={activeId}
                              onJump={jump}
                              composer={composer}
                            />
                          )}
                        </Loaded>
                      ) : key === 'brief' ? (
                        <Brief project={project} />
                      ) : key === 'notes' ? (
                        <Suspense fallback={<Loading className="grid gap-3">{rows}</Loading>}>
                          <Notes userId={project.userId} name={project.userName ?? messages.officer} />
                        </Suspense>
                      ) : key === 'cuts' ? (
                        <Loaded answer={cuts} failed={messages.cutsFailed} loading={rows} className="grid gap-3">
                          {() => (
                            <Cuts
                              playable={playable}
                              shown={[shown?.key, beside?.key].filter((one) => one !== undefined)}
                              onWatch={show}
                              onBeside={(one) => go({ show: shown?.key, beside: one })}
                            />
                          )}
                        </Loaded>
                      ) : (
                        <History project={project} />
                      )}
                    </div>
                  )}
                </Tabs>
              </section>
            )}
          </div>
        </div>
      </div>
    </>
  )
}

const Head = ({ project }: { project: Project }) => {
  const user = useUser()
  const home = homeOf(user)
  const heading = useHeadingFocus()
  return (
    <header className="flex min-h-14 items-center gap-3 px-4 pt-2.5 pb-2 md:px-6 lg:min-h-16 lg:border-b lg:border-line lg:bg-surface lg:pt-2.5">
      <title>{`${project.title} · Clear to Post`}</title>
      <BackLink to={home} label={messages.toList} className="max-md:-ml-2" />
      <div className="min-w-0">
        <h1
          ref={heading}
          tabIndex={-1}
          className="line-clamp-2 text-lg leading-snug font-bold outline-none [overflow-wrap:anywhere] md:text-xl"
        >
          {project.title}
        </h1>
        {project.userId !== user.id && project.userName && (
          <p className="text-[0.8125rem] text-muted">
            {user.rooms.includes('people') ? (
              <Link
                to={paths.person}
                params={{ personId: project.userId }}
                className="underline-offset-2 hover:underline"
              >
                {messages.by(project.userName)}
              </Link>
            ) : (
              messages.by(project.userName)
            )}
          </p>
        )}
      </div>
      {project.userId === user.id && user.actions.includes('support.ask') && (
        <LinkButton
          to={paths.support}
          search={{ about: project.id }}
          variant="quiet"
          icon={<LifeBuoy aria-hidden />}
          className="ml-auto shrink-0"
        >
          <span className="max-sm:sr-only">{messages.askSupport}</span>
        </LinkButton>
      )}
      {project.status !== Status.submitted && user.actions.includes('edit.read') && (
        <LinkButton
          to={paths.workbench}
          params={{ projectId: project.id }}
          icon={<Scissors aria-hidden />}
          className="ml-auto"
        >
          {messages.workbench}
        </LinkButton>
      )}
    </header>
  )
}

const PageSkeleton = () => (
  <Loading>
    <div className="flex min-h-16 items-center px-4 md:px-6">
      <Skeleton className="h-6 w-64" />
    </div>
    <div className="mx-auto grid max-w-page items-start gap-4 px-4 md:px-6 lg:grid-cols-[28rem_minmax(0,1fr)] lg:gap-6 lg:py-5">
      <div className="max-md:-mx-4">
        <PlayerLoading ratio={16 / 9} />
      </div>
      <div className="grid gap-5">
        <Skeleton className="h-56 w-full rounded-card" />
        <Skeleton className="h-72 w-full rounded-card" />
      </div>
    </div>
  </Loading>
)

const rows = (
  <>
    <Skeleton className="mb-3 h-12 w-full" />
    <Skeleton className="mb-3 h-12 w-full" />
    <Skeleton className="h-12 w-4/5" />
  </>
)
