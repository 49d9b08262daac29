import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { projects } from '@clear-to-post/contract/projects'
import { query, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { monthWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Select, type Option } from '../../ui/select.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { useFirstFrame } from '../assets/first-frame.ts'
import { useWaiting, type Waiting } from '../assets/follow.ts'
import { loadSender } from '../assets/uploads.ts'
import { useDiscard } from '../assets/use-discard.ts'
import { WaitingRow } from '../assets/waiting-row.tsx'
import { ownBrand } from '../brand/tokens.ts'
import { myTenant } from '../brand/use-brand.ts'
import { keepRecorderPage } from '../offline.ts'
import { PageHead } from '../page-head.tsx'
import { useTellWhenLeft } from '../tell-when-left.ts'
import { useLedTo } from '../use-led-to.ts'
import { captionStyles } from '@clear-to-post/domain/captions'
import { SharedVideos } from './shared-videos.tsx'
import { OfficerField } from './officer-field.tsx'
import { TourFields } from './tour-fields.tsx'
import { CaptionStyleField } from './caption-style-field.tsx'
import { useDraft } from './draft.ts'
import { messages } from './new-video-messages.ts'
import { VideoChooser } from './video-chooser.tsx'

const route = getRouteApi('/panel/new')

/** Two taps to a file, and the form beside it while it travels. */
export const NewVideoPage = () => {
  const { for: officer } = route.useSearch()
  return <NewVideo key={officer} officer={officer} />
}

const NewVideo = ({ officer }: { officer: string | undefined }) => {
  const user = useUser()
  const navigate = useNavigate()
  const { draft, officerId, isBegun, change, look, chooseOfficer, submitted, sent } = useDraft(user.id, officer)
  const { items, isPending, asOf } = useWaiting()
  const [willSubmit, setWillSubmit] = useState(false)
  /**
   * Files that were there when Submit was pressed, by their upload's key and the service's id: another tab may send in those of the
   * next video while this one waits.
   */
  const [there, setThere] = useState<ReadonlySet<string>>(new Set())
  const takes = items.filter(
    ({ key, upload }) => upload?.projectId === undefined && (!willSubmit || upload !== undefined || there.has(key)),
  )
  const usable = takes.filter(({ phase }) => !refusedPhases.has(phase))
  const isReady = usable.length > 0 && usable.every(({ phase }) => phase === 'ready')
  const [titleError, setTitleError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const titleRef = useRef<HTMLInputElement>(null)
  const filesRef = useRef<HTMLHeadingElement>(null)

  const isForOther = useMay('project.create-for')
  const [officerError, setOfficerError] = useState<string>()
  // An officer's right to submit is theirs: the service says what is wrong when it is sent.
  const allowance = useQuery({ ...query(projects.allowance, {}), enabled: !isForOther })
  const months = allowance.data?.months ?? []
  const open = months.filter(({ right }) => right !== 'none')
  const month = open.find(({ month: one }) => one === draft.month)?.month ?? open[0]?.month ?? null
  const hasNoRight = allowance.data !== undefined && open.length === 0
  const isLater = month !== null && month !== months[0]?.month

  const { shared } = route.useSearch()
  useEffect(() => {
    if (shared === 'failed' || shared === 'none') toast.warning(messages.shared[shared])
    // So that the video of another app finds a worker the next time.
    keepRecorderPage().catch(() => false)
  }, [shared])

  useLedTo(!isPending)
  const frame = useFrame(usable)
  const company = useQuery({ ...myTenant, enabled: user.tenantId !== undefined }).data?.preferences
  const colour = user.preferences?.primaryColor || company?.primaryColor || ownBrand.primary
  const discard = useDiscard()
  const create = useCall(projects.create, {
    mutationKey: [submitKey],
    onMutate: () => draft,
    onSuccess: (project, _, pressed) => {
      sent(pressed)
      // What could not be used has been told, and is not part of the next video; a recording may be on this device alone.
      for (const item of takes) if (refusedPhases.has(item.phase) && !item.upload?.take) discard(item)
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
      void queryClient.invalidateQueries({ queryKey: ['projects'] })
      toast.success(messages.submitted)
      void navigate({ to: paths.project, params: { projectId: project.id } })
    },
    onError: (error) => {
      setFailure(failureWords(error))
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
      void allowance.refetch()
    },
  })

  const send = () => {
    setWillSubmit(false)
    create.mutate({
      body: {
        title: draft.title.trim(),
        instructions: draft.instructions.trim(),
        captionStyle: draft.captionStyle,
        assets: usable.map(({ asset }) => asset!.assetId),
        ...(draft.captionSuggestion.trim() ? { captionSuggestion: draft.captionSuggestion.trim() } : {}),
        ...(captionStyles[draft.captionStyle].hasTour ? { tour: draft.tour } : {}),
        ...(month === null ? {} : { submitMonth: month }),
        ...(isForOther && officerId !== null ? { userId: officerId } : {}),
      },
    })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The second press of a double click comes before the button knows that it waits.
    if (queryClient.isMutating({ mutationKey: [submitKey] }) > 0) return
    setFailure(undefined)
    if (draft.title.trim() === '') {
      setTitleError(messages.needTitle)
      return titleRef.current?.focus()
    }
    if (isForOther && officerId === null) return setOfficerError(messages.needOfficer)
    if (usable.length === 0) return
    submitted()
    setThere(new Set(takes.flatMap(namesOf)))
    if (isReady) send()
    else setWillSubmit(true)
  }

  // Pressed while the file was still on its way: goes as soon as everything is there.
  const sendNow = useEffectEvent(send)
  const hasFile = usable.length > 0
  const hasTitle = draft.title.trim() !== ''
  useEffect(() => {
    if (willSubmit && isReady && hasTitle) sendNow()
  }, [willSubmit, isReady, hasTitle])
  // What another tab has sent whole is an upload no more, and a file of the service's.
  const learned = takes.flatMap(namesOf).filter((name) => !there.has(name))
  if (willSubmit && learned.length > 0) setThere(new Set([...there, ...learned]))
  const goneAt = useRef<number>(undefined)
  const areRefused = takes.length > 0 && !hasFile
  useEffect(() => {
    if (willSubmit && areRefused) setWillSubmit(false)
    if (!willSubmit || hasFile || areRefused) return void (goneAt.current = undefined)
    // It may be there by now: the wait ends when the service, asked anew, knows of none.
    if (goneAt.current === undefined) {
      goneAt.current = Date.now()
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
    } else if (asOf > goneAt.current) {
      setWillSubmit(false)
      toast.warning(messages.noFileLeft)
    }
  }, [willSubmit, hasFile, areRefused, asOf])
  useTellWhenLeft(willSubmit, () => toast.warning(messages.leftQueued))

  const fault = whyNot(usable, takes)
  const why = fault === 'ready' && draft.title.trim() === '' ? 'noTitle' : fault
  return (
    <form
      noValidate
      onSubmit={submit}
      onFocus={look}
      onBlur={look}
      className="flex flex-col md:min-h-[calc(100dvh-2.5rem)]"
    >
      <PageHead
        title={messages.newVideo}
        beside={isBegun && <span className="text-[0.8125rem] text-muted">{messages.draft}</span>}
      />
      <div className="grid mx-auto w-full max-w-page flex-1 grid-cols-1 content-start gap-5 px-4 py-5 md:px-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:items-start">
        <section
          aria-labelledby="video-files"
          className="grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
        >
          <h2 id="video-files" ref={filesRef} tabIndex={-1} className="text-base">
            {messages.video}
          </h2>
          <SharedVideos onSettled={() => filesRef.current?.focus()} />
          {isPending && takes.length === 0 ? (
            <Loading>
              {/* Its own shape, so that what stands below it stays where it is. */}
              <div inert className="skeleton">
                <div className="invisible">
                  <VideoChooser hasFiles={false} isForAnother={false} />
                </div>
              </div>
            </Loading>
          ) : (
            <>
              {takes.length > 0 && (
                <div>
                  {usable.length > 1 && <p className="text-muted">{messages.takes(usable.length)}</p>}
                  <ul className="divide-y divide-line">
                    {takes.map((item) => (
                      <li key={item.key}>
                        <WaitingRow item={item} />
                      </li>
                    ))}
                  </ul>
                </div>
              )}
              <VideoChooser hasFiles={takes.length > 0} isForAnother={takes.length > 0 && usable.length === 0} />
            </>
          )}
        </section>

        <section
          aria-labelledby="about"
          className="grid grid-cols-1 gap-5 rounded-card border border-line bg-surface p-4 md:p-5"
        >
          <h2 id="about" className="text-base">
            {messages.about}
          </h2>
          {isForOther && (
            <OfficerField
              value={officerId}
              error={officerError}
              onChange={(chosen) => {
                setOfficerError(undefined)
                chooseOfficer(chosen)
              }}
            />
          )}
          <TextField
            label={messages.videoTitle}
            placeholder={messages.titlePlaceholder}
            hint={messages.titleHint}
            value={draft.title}
            onChange={(title) => {
              setTitleError(undefined)
              change({ title })
            }}
            maxLength={120}
            error={titleError}
            inputRef={titleRef}
          />
          <TextArea
            label={messages.instructions}
            placeholder={messages.instructionsPlaceholder}
            value={draft.instructions}
            onChange={(instructions) => change({ instructions })}
            maxLength={5000}
            isRequired={false}
          />
          <CaptionStyleField
            value={draft.captionStyle}
            onChange={(captionStyle) => change({ captionStyle })}
            frame={frame}
            colour={colour}
          />
          {captionStyles[draft.captionStyle].hasTour && (
            <TourFields tour={draft.tour} onChange={(part) => change({ tour: part })} />
          )}
          <TextArea
            label={messages.suggestion}
            hint={messages.suggestionHint}
            rows={2}
            value={draft.captionSuggestion}
            onChange={(captionSuggestion) => change({ captionSuggestion })}
            maxLength={5000}
            isRequired={false}
          />
          {isForOther ? null : allowance.isPending ? (
            <Loading>
              <Skeleton className="mb-1.5 h-4 w-16" />
              <Skeleton className="h-10 w-full" />
            </Loading>
          ) : allowance.isError ? (
            <p className="text-warn">{messages.monthFailed}</p>
          ) : hasNoRight ? (
            <p role="alert" className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">
              {messages.noRight}
            </p>
          ) : (
            <Select
              label={messages.month}
              value={month}
              onChange={(chosen) => change({ month: chosen })}
              options={months.map(monthOption)}
              hint={isLater ? laterWords(open.find((one) => one.month === month)) : undefined}
            />
          )}
        </section>
      </div>

      <div data-save-bar className="sticky bottom-0 z-10 border-t border-line bg-surface max-md:bottom-(--bottom-bar)">
        <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 md:px-6">
          <p role="status" className={failure ? 'min-w-48 flex-1 text-danger' : 'min-w-48 flex-1 text-muted'}>
            {failure ?? (willSubmit ? messages.willSubmit : messages.whyWaiting[why])}
          </p>
          {willSubmit && (
            <Button variant="quiet" onPress={() => setWillSubmit(false)}>
              {messages.dontSubmit}
            </Button>
          )}
          <Button
            type="submit"
            variant="primary"
            size="large"
            isPending={create.isPending || willSubmit}
            isDisabled={hasNoRight || why === 'none' || why === 'refused' || why === 'noVideo'}
            className="max-sm:w-full"
          >
            {create.isPending ? messages.submitting : willSubmit ? messages.submitsSoon : messages.submit}
          </Button>
        </div>
      </div>
    </form>
  )
}

// On its way before the first file is chosen.
loadSender().catch(() => undefined)

const submitKey = 'submit a video'

/** An upload has a key of its own, and the service's id as soon as it has begun. */
const namesOf = ({ key, upload }: Waiting): string[] => (upload?.assetId ? [key, upload.assetId] : [key])

const refusedPhases: ReadonlySet<Waiting['phase']> = new Set(['refused', 'rejected', 'failed'])

const whyNot = (usable: readonly Waiting[], takes: readonly Waiting[]): keyof typeof messages.whyWaiting => {
  const has = (...phases: Waiting['phase'][]) => usable.some(({ phase }) => phases.includes(phase))
  if (usable.length === 0) return takes.length === 0 ? 'none' : 'refused'
  if (usable.some(({ upload }) => upload?.take?.stands === 'left')) return 'left'
  if (has('paused')) return 'paused'
  if (has('sending', 'elsewhere')) return 'sending'
  if (has('sent', 'checking')) return 'checking'
  return usable.some(({ asset }) => asset?.type === 'video') ? 'ready' : 'noVideo'
}

/** What a later month means, and what it will need then. */
const laterWords = (chosen: { month: string; needs: 'nothing' | 'plan' | 'renewal' } | undefined): string => {
  const month = chosen ? monthWords(chosen.month) : ''
  const needs = {
    nothing: '',
    plan: messages.monthNeedsPlan(month),
    renewal: messages.monthNeedsRenewal(month),
  }[chosen?.needs ?? 'nothing']
  return `${messages.monthLater} ${needs}`.trim()
}

const monthOption = ({
  month,
  used,
  allowed,
  right,
}: {
  month: string
  used: number
  allowed: number
  right: 'plan' | 'free' | 'extra' | 'none'
}): Option<string> => ({
  value: month,
  label: monthWords(month),
  detail:
    right === 'plan'
      ? messages.monthPlan(allowed - used, allowed)
      : right === 'free'
        ? messages.monthFree
        : messages.monthNone,
  isDisabled: right === 'none',
})

/** The picture behind the caption samples: the file's own first frame, from this device or from the service. */
const useFrame = (usable: readonly Waiting[]): string | null => {
  const first = usable[0]
  const local = useFirstFrame(first?.upload?.file)
  return first?.asset?.posterUrl || local
}
