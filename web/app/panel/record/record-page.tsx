import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { X } from 'lucide-react'
import { mostNoted, type TakeLog } from '@clear-to-post/domain/take-log'
import { mostPrompted } from '@clear-to-post/domain/prompter-link'
import { openTakeBytes, uploaders } from '@clear-to-post/domain/upload-room'
import { recordingFormat } from '../../recorder/camera.ts'
import { usualPace, withPace } from '../../recorder/pace.ts'
import { readScript } from '../../recorder/prompter.ts'
import { recordTake, type Ending, type TakeRecorder } from '../../recorder/take-recorder.ts'
import { triesIn, type Tried } from '../../recorder/tries.ts'
import { spool as openSpool } from '../../spool/open.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useAwake } from '../../ui/use-awake.ts'
import { useMedia } from '../../ui/use-media.ts'
import { dropTake, followTake, whileRecording } from '../assets/takes.ts'
import { useUploads } from '../assets/uploads.ts'
import { useDraft } from '../projects/draft.ts'
import { blanksIn, fillBlanks, knownBlanks } from '../scripts/blanks.ts'
import { AnewTake } from './anew-take.tsx'
import { CameraFailed } from './camera-failed.tsx'
import { messages } from './messages.ts'
import { faster, Prompter, type PrompterHandle } from './prompter.tsx'
import { usePrompterLink, type PrompterState } from './prompter-link.ts'
import { keepRecorderPage } from '../offline.ts'
import { useRecorder } from './recorder-person.ts'
import { ScriptLine } from './script-line.tsx'
import { ScriptSheet } from './script-sheet.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import { pace, useSettings } from './settings.ts'
import { TakeChecks } from './take-checks.tsx'
import { TakeClock } from './take-clock.tsx'
import { TakeControls } from './take-controls.tsx'
import { TakeOnItsWay } from './take-on-its-way.tsx'
import { TakeStage } from './take-stage.tsx'
import { useCalled } from './use-called.ts'
import { useCamera, useGone } from './use-camera.ts'
import { isInMemory, roomHere, useKeeping, useLeaveAsked, useRoom } from './use-device.ts'
import { useRecordKeys } from './use-record-keys.ts'
import { useHeadingFocus } from '../use-heading-focus.ts'
import { scriptOfMonth, useScripts } from './use-scripts.ts'
import { useSenses } from './use-senses.ts'
import { useStepFocus } from './use-step-focus.ts'
import { WatchTake } from './watch-take.tsx'

type Phase = 'ready' | 'waiting' | 'counting' | 'recording' | 'paused' | 'saving' | 'watch'
/** A take that is over: its id in the spool, and what a player plays of it. */
type Watched = { id: string; url: string }

/** One screen: the camera as a mirror, the words below its lens, and one red button. */
export const RecordPage = () => {
  const user = useRecorder()
  const isAway = useSession().user === null
  const { draft, change: changeDraft } = useDraft(user.id)
  const { settings, change } = useSettings()
  const { camera, open } = useCamera(settings)
  const [phase, setPhase] = useState<Phase>('ready')
  const [count, setCount] = useState(3)
  const [ending, setEnding] = useState<Ending>()
  const [marks, setMarks] = useState<TakeLog['again']>([])
  const [retakes, setRetakes] = useState(0)
  const [tried, setTried] = useState<readonly Tried[]>([])
  const [sheet, setSheet] = useState<'script' | 'blanks' | 'settings' | 'throw' | null>(null)
  const [takeId, setTakeId] = useState<string | null>(null)
  const [watched, setWatched] = useState<Watched | null>(null)
  /** The sentence of the watched take that is being said again, and what of it is watched. */
  const [sayingAnew, setSayingAnew] = useState<{ sentence: string; watched: Watched | null } | null>(null)
  const [anew, setAnew] = useState<ReadonlyMap<string, Watched>>(new Map())
  const [hasNothing, setNothing] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const prompter = useRef<PrompterHandle>(null)
  const recorder = useRef<TakeRecorder | null>(null)
  const latestMarks = useRef(marks)
  latestMarks.current = marks
  const latestStop = useRef<() => Promise<void>>(async () => undefined)
  const opened = camera.state === 'open' ? camera.opened : null
  const stream = opened?.stream ?? null
  const { subject } = settings
  const senses = useSenses(stream, video, phase === 'ready')
  const scripts = useScripts(user.id)
  const month = new Date().toISOString().slice(0, 7)
  const suggestion = draft.captionSuggestion === '' && settings.freeIn !== month ? scriptOfMonth(scripts, month) : null
  const script = suggestion ? fillBlanks(suggestion.content, knownBlanks(user).values) : draft.captionSuggestion
  const text = sayingAnew?.sentence ?? script
  const isRunning = phase === 'recording' || phase === 'paused'
  const uploads = useUploads()
  const upload = uploads.find(({ key }) => key === takeId)
  const kind = user.isEmailVerified ? 'confirmed' : 'unconfirmed'
  const mostMs = uploaders[kind].minutes * 60_000 - 5000
  const roomMs = useRoom(stream, phase === 'ready')
  const keeping = useKeeping(phase === 'ready' && stream !== null)
  const away = isInMemory(keeping) ? messages.awayNotKept : messages.away
  const [isLying, setLying] = useState(false)

  // Next time it opens without a network, too.
  useEffect(() => {
    if (!isAway) keepRecorderPage().catch((error: unknown) => console.warn('The recorder is not kept here', error))
  }, [isAway])
  const isWatching = phase === 'watch'
  useEffect(() => {
    if (video.current && stream) video.current.srcObject = stream
  }, [stream, isWatching])

  useGone(isBefore(phase) ? opened : null, () => {
    setPhase('ready')
    void open()
  })

  const changeScript = (captionSuggestion: string, title?: string) => {
    changeDraft({ captionSuggestion, ...(title && draft.title === '' ? { title: title.slice(0, 120) } : {}) })
    if (captionSuggestion === '') change({ freeIn: month })
  }

  const startCount = () => {
    senses.wake()
    setNothing(false)
    setEnding(undefined)
    setCount(3)
    setPhase(settings.isHandsFree && phase === 'ready' ? 'waiting' : 'counting')
  }
  useCalled(phase === 'waiting', senses.db, startCount)
  const notBegun = (error: unknown) => {
    console.error('The take did not begin', error)
    setNothing(true)
    setPhase('ready')
  }
  const begin = useEffectEvent(async () => {
    const format = recordingFormat(subject)
    if (!stream || !format) return setPhase('ready')
    const id = crypto.randomUUID()
    const spool = await openSpool()
    const begunAt = Date.now()
    // A name that sorts and that no file system minds.
    const when = new Date(begunAt).toTimeString().slice(0, 5).replace(':', '.')
    await spool.begin({
      id,
      userId: user.id,
      fileName: `${(sayingAnew ? messages.anewName : messages.takeName)(when)}.${format.extension}`,
      type: format.type,
      begunAt,
    })
    // What is read is what captions will spell.
    if (suggestion) changeScript(script, suggestion.title)
    const { sentence } = sayingAnew ?? {}
    setTakeId(id)
    setMarks([])
    prompter.current?.toStart()
    whileRecording(id, () => {
      const over = Promise.withResolvers<void>()
      const running = recordTake(spool, id, {
        stream,
        screen: opened?.screen,
        format,
        mostBytes: openTakeBytes(kind),
        log: () => ({
          again: latestMarks.current,
          shown: prompter.current?.shown() ?? [],
          ...(sentence === undefined ? {} : { sentence: sentence.slice(0, mostNoted.sentence) }),
        }),
        mostMs,
        // A full disk ends no take in memory.
        ...(spool.place === 'memory' ? {} : { roomHere }),
        onEnd: (why) => {
          setEnding(why)
          // The page has been drawn anew since this take began.
          void latestStop.current()
        },
      })
      const { stop: end } = running
      recorder.current = { ...running, stop: () => end().finally(over.resolve) }
      setPhase('recording')
      void followTake(id)
      return over.promise
    }).catch((error: unknown) => {
      notBegun(error)
      void dropTake(id)
    })
  })
  useEffect(() => {
    if (phase !== 'counting') return
    if (count === 0) return void begin().catch(notBegun)
    const timer = setTimeout(() => setCount((n) => n - 1), 1000)
    return () => clearTimeout(timer)
  }, [phase, count])

  const stop = async () => {
    const running = recorder.current
    if (!running || takeId === null) return
    recorder.current = null
    if (!sayingAnew) {
      setRetakes(latestMarks.current.length)
      setTried(triesIn(readScript(text), { again: latestMarks.current, shown: prompter.current?.shown() ?? [] }))
    }
    const paces = prompter.current ? withPace(settings.paces, prompter.current.read(), pace) : settings.paces
    change({ paces, wordsAMinute: usualPace(paces) ?? settings.wordsAMinute })
    setPhase('saving')
    await running.stop()
    const file = await (await openSpool()).file(takeId)
    if (file === null) {
      void dropTake(takeId)
      setTakeId(null)
      setNothing(true)
      if (stream?.getTracks().some(({ readyState }) => readyState === 'ended')) void open()
      return setPhase('ready')
    }
    opened?.close()
    const over = { id: takeId, url: URL.createObjectURL(file) }
    if (sayingAnew) setSayingAnew({ ...sayingAnew, watched: over })
    else setWatched(over)
    setPhase('watch')
  }
  latestStop.current = stop
  const pauseOrGoOn = () => {
    if (phase === 'recording') recorder.current?.pause()
    else recorder.current?.goOn()
    setPhase(phase === 'recording' ? 'paused' : 'recording')
  }
  const again = () => {
    const word = prompter.current?.again() ?? 0
    const ms = Math.round(recorder.current?.ms() ?? 0)
    setMarks((before) => [...before, { ms, word }].slice(-mostNoted.again))
    if (phase === 'paused') pauseOrGoOn()
  }
  const another = () => {
    for (const one of [watched, ...anew.values()]) if (one) URL.revokeObjectURL(one.url)
    setWatched(null)
    setAnew(new Map())
    setTakeId(null)
    setEnding(undefined)
    setMarks([])
    setPhase('ready')
    void open()
  }
  const sayAnew = (sentence: string) => {
    if (sayingAnew?.watched) drop(sayingAnew.watched)
    setSayingAnew({ sentence, watched: null })
    setTakeId(null)
    setEnding(undefined)
    setMarks([])
    setPhase('ready')
    void open()
  }
  /** Back to the take, with what was said anew or without it. */
  const toTake = (kept: Watched | null) => {
    if (sayingAnew && kept) {
      const before = anew.get(sayingAnew.sentence)
      if (before) drop(before)
      setAnew(new Map(anew).set(sayingAnew.sentence, kept))
    } else if (sayingAnew?.watched) drop(sayingAnew.watched)
    opened?.close()
    setSayingAnew(null)
    setEnding(undefined)
    setPhase('watch')
  }
  const isLinked = usePrompterLink(
    useCallback(
      (): PrompterState => ({
        phase,
        text: text.slice(0, mostPrompted),
        wordsAMinute: settings.wordsAMinute,
        ...(prompter.current?.place() ?? { word: 0, isMoving: false }),
      }),
      [phase, text, settings.wordsAMinute],
    ),
    { phase, text, wordsAMinute: settings.wordsAMinute },
    (press, word) => {
      if (press === 'start' && phase === 'ready' && stream) startCount()
      if (press === 'stop' && isRunning) void stop()
      if (press === (phase === 'recording' ? 'pause' : 'go-on') && isRunning) pauseOrGoOn()
      if (press === 'again' && isRunning) again()
      if (press === 'word') prompter.current?.goTo(word)
    },
  )
  useRecordKeys({
    r: () => (phase === 'ready' ? stream && startCount() : isRunning && void stop()),
    p: () => isRunning && pauseOrGoOn(),
    b: () => isRunning && again(),
    Escape: () => (phase === 'counting' || phase === 'waiting') && setPhase('ready'),
    ArrowLeft: () => prompter.current?.move({ words: -5 }),
    ArrowRight: () => prompter.current?.move({ words: 5 }),
    ArrowUp: () => prompter.current?.move({ sentences: -1 }),
    ArrowDown: () => prompter.current?.move({ sentences: 1 }),
    '+': () => change({ wordsAMinute: faster(settings.wordsAMinute, 1) }),
    '-': () => change({ wordsAMinute: faster(settings.wordsAMinute, -1) }),
  })
  useLeaveAsked(isRunning)
  const heading = useHeadingFocus()
  const next = useStepFocus(camera.state === 'failed' ? 'failed' : phase, stream !== null)
  useAwake(isRunning || phase === 'counting' || phase === 'waiting')
  // Below the picture there is no room for them on the smallest phones.
  const areBeside = useMedia('(height <= 40rem) and (orientation: portrait)')
  const checks = phase === 'ready' && (
    <TakeChecks
      sound={senses.sound}
      light={senses.light}
      hasStream={stream !== null}
      frame={subject !== 'camera' || !stream ? null : isLying ? 'lying' : 'upright'}
      hasNothing={hasNothing}
      roomMs={roomMs === null ? null : Math.min(roomMs, mostMs)}
      keeping={keeping}
    />
  )

  return (
    <div className="flex min-h-dvh flex-col bg-night text-on-night">
      <title>{`${messages.title} · Clear to Post`}</title>
      <header className="flex h-14 shrink-0 items-center gap-3 px-3 short:h-11">
        {sayingAnew && phase === 'ready' ? (
          <Button
            variant="quiet"
            size="small"
            icon={<X aria-hidden />}
            className="text-on-night!"
            onPress={() => toTake(null)}
          >
            {messages.backToTake}
          </Button>
        ) : !isRunning && phase !== 'waiting' && phase !== 'counting' && phase !== 'saving' ? (
          <LinkButton
            to={paths.newVideo}
            variant="quiet"
            size="small"
            icon={<X aria-hidden />}
            className="text-on-night!"
          >
            {messages.back}
          </LinkButton>
        ) : (
          <span className="text-on-night">
            <Logo />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} className="sr-only">
          {messages.title}
        </h1>
        <div role="status" className="ml-auto flex items-center gap-2 text-sm">
          {isRunning && (
            <>
              <span
                aria-hidden
                className={cx('size-2.5 rounded-full bg-coral', phase === 'recording' && 'animate-pulse')}
              />
              {phase === 'recording' ? messages.recording : messages.paused}
            </>
          )}
          {phase === 'saving' && messages.saving}
        </div>
        {isRunning && <TakeClock recorder={recorder} />}
      </header>

      {camera.state === 'failed' ? (
        <CameraFailed
          failure={camera.failure}
          isSound={subject === 'sound'}
          canHandOver={!isAway}
          onAgain={() => void open()}
          onCameraAlone={() => {
            change({ subject: 'camera' })
            void open({}, 'camera')
          }}
        />
      ) : phase === 'watch' && sayingAnew?.watched ? (
        <AnewTake
          sentence={sayingAnew.sentence}
          url={sayingAnew.watched.url}
          isSound={subject === 'sound'}
          ending={ending}
          onKeep={() => toTake(sayingAnew.watched)}
          onOnceMore={() => sayAnew(sayingAnew.sentence)}
          onDrop={() => toTake(null)}
        />
      ) : phase === 'watch' && watched ? (
        <WatchTake
          url={watched.url}
          isSound={subject === 'sound'}
          ms={uploads.find(({ key }) => key === watched.id)?.take?.ms ?? 0}
          retakes={retakes}
          tried={tried}
          ending={ending}
          waits={isAway ? away.waits : null}
          anew={new Map([...anew].map(([sentence, { url }]) => [sentence, url]))}
          onSayAnew={sayAnew}
          onAnother={another}
          onThrowAway={() => setSheet('throw')}
        />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col lying:flex-row">
          <TakeStage
            video={video}
            onShape={(isWide) => setLying(isWide && matchMedia('(pointer: coarse)').matches)}
            subject={subject}
            hasOutline={phase === 'ready' && stream !== null && subject === 'camera'}
            isOpening={camera.state === 'opening'}
            isWaiting={phase === 'waiting'}
            count={phase === 'counting' ? count : null}
            beside={areBeside && checks}
          >
            {text !== '' && (
              <Prompter
                text={text}
                settings={settings}
                // The recorder is asked, not the page: a pause rests the words before the page has been drawn anew.
                takeMs={() => (recorder.current?.isRunning() ? recorder.current.ms() : null)}
                db={senses.db}
                handle={prompter}
              />
            )}
          </TakeStage>
          <div className="mx-auto grid w-full max-w-3xl gap-3 px-4 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))] lying:w-80 lying:shrink-0 lying:content-center short:gap-2 short:pt-2 short:pb-[calc(0.5rem+env(safe-area-inset-bottom))]">
            {!areBeside && checks}
            {isRunning && upload && <TakeOnItsWay upload={upload} />}
            <TakeControls
              phase={phase === 'watch' ? 'ready' : phase}
              canStart={stream !== null}
              hasScript={text !== ''}
              onStart={startCount}
              onStop={() => void stop()}
              onCancelCount={() => setPhase('ready')}
              onPause={pauseOrGoOn}
              onAgain={again}
              onScript={() => setSheet('script')}
              onSettings={() => setSheet('settings')}
              nextRef={next}
            />
            {phase === 'ready' && isAway && (
              <p role="status" className="text-center text-sm text-muted-on-night">
                {away.before}
              </p>
            )}
            {phase === 'ready' && sayingAnew && (
              <p className="text-center text-sm text-muted-on-night">{messages.anewReady}</p>
            )}
            {phase === 'ready' && !sayingAnew && (
              <ScriptLine
                suggested={suggestion?.title ?? null}
                blanks={blanksIn(script)}
                hasScript={text !== ''}
                onFree={() => changeScript('')}
                onFill={() => setSheet('blanks')}
              />
            )}
          </div>
        </div>
      )}

      {(sheet === 'script' || sheet === 'blanks') && (
        <ScriptSheet
          text={script}
          all={scripts}
          startsAtBlanks={sheet === 'blanks'}
          onChange={changeScript}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet === 'settings' && (
        <SettingsSheet
          settings={settings}
          change={change}
          camera={camera}
          canLink={!isAway}
          isLinked={isLinked}
          onDevice={(ids) => void open(ids)}
          onSubject={(chosen) => void open({}, chosen)}
          onClose={() => setSheet(null)}
        />
      )}
      <Confirm
        title={messages.throwTitle}
        text={messages.throwText}
        confirm={messages.throwAway}
        keep={messages.keep}
        isOpen={sheet === 'throw'}
        onOpenChange={() => setSheet(null)}
        onConfirm={() => {
          setSheet(null)
          for (const one of [watched, ...anew.values()]) if (one) void dropTake(one.id)
          another()
        }}
      />
    </div>
  )
}

/** A take has not begun yet: what happens to camera and microphone costs nothing of one. */
const isBefore = (phase: Phase): boolean => phase === 'ready' || phase === 'waiting' || phase === 'counting'

/** Throws a take away, here and at the service. */
const drop = ({ id, url }: Watched): void => {
  URL.revokeObjectURL(url)
  void dropTake(id)
}
