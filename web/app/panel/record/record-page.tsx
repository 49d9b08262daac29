import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Mic, X } from 'lucide-react'
import { mostNoted, type TakeLog } from '@clear-to-post/domain/take-log'
import { openTakeBytes, uploaders } from '@clear-to-post/domain/upload-room'
import { recordingFormat } from '../../recorder/camera.ts'
import { readScript } from '../../recorder/prompter.ts'
import { recordTake, type Ending, type TakeRecorder } from '../../recorder/take-recorder.ts'
import { triesIn, type Tried } from '../../recorder/tries.ts'
import { spool as openSpool } from '../../spool/open.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session.ts'
import { percentWords } from '../../times.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useAwake } from '../../ui/use-awake.ts'
import { dropTake, followTake, whileRecording } from '../assets/takes.ts'
import { useUploads } from '../assets/uploads.ts'
import { useDraft } from '../projects/draft.ts'
import { CameraFailed } from './camera-failed.tsx'
import { messages } from './messages.ts'
import { faster, Prompter, type PrompterHandle } from './prompter.tsx'
import { keepRecorderPage } from '../offline.ts'
import { useRecorder } from './recorder-person.ts'
import { ScriptSheet } from './script-sheet.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import { useSettings } from './settings.ts'
import { TakeChecks } from './take-checks.tsx'
import { TakeClock } from './take-clock.tsx'
import { TakeControls } from './take-controls.tsx'
import { useCalled } from './use-called.ts'
import { useCamera } from './use-camera.ts'
import { useLeaveAsked, useRoom } from './use-device.ts'
import { useRecordKeys } from './use-record-keys.ts'
import { useSenses } from './use-senses.ts'
import { WatchTake } from './watch-take.tsx'

type Phase = 'ready' | 'waiting' | 'counting' | 'recording' | 'paused' | 'saving' | 'watch'

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
  const [tried, setTried] = useState<readonly Tried[]>([])
  const [sheet, setSheet] = useState<'script' | 'settings' | 'throw' | null>(null)
  const [takeId, setTakeId] = useState<string | null>(null)
  const [watched, setWatched] = useState<string | null>(null)
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
  const text = draft.captionSuggestion
  const isRunning = phase === 'recording' || phase === 'paused'
  const upload = useUploads().find(({ key }) => key === takeId)
  const room = useRoom()

  // Next time it opens without a network, too.
  useEffect(() => {
    if (!isAway) keepRecorderPage().catch((error: unknown) => console.warn('The recorder is not kept here', error))
  }, [isAway])
  const isWatching = phase === 'watch'
  useEffect(() => {
    if (video.current && stream) video.current.srcObject = stream
  }, [stream, isWatching])

  const startCount = () => {
    senses.wake()
    setNothing(false)
    setEnding(undefined)
    setCount(3)
    setPhase(settings.isHandsFree && phase === 'ready' ? 'waiting' : 'counting')
  }
  useCalled(phase === 'waiting', senses.db, startCount)
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
      fileName: `${messages.takeName(when)}.${format.extension}`,
      type: format.type,
      begunAt,
    })
    // Asked when it matters: browsers answer by how a site is used.
    void navigator.storage?.persist?.().catch(() => undefined)
    setTakeId(id)
    setMarks([])
    prompter.current?.toStart()
    void whileRecording(id, () => {
      const kind = user.isEmailVerified ? 'confirmed' : 'unconfirmed'
      const over = Promise.withResolvers<void>()
      const running = recordTake(spool, id, {
        stream,
        screen: opened?.screen,
        format,
        mostBytes: openTakeBytes(kind),
        log: () => ({ again: latestMarks.current, shown: prompter.current?.shown() ?? [] }),
        mostMs: uploaders[kind].minutes * 60_000 - 5000,
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
    })
  })
  useEffect(() => {
    if (phase !== 'counting') return
    if (count === 0) return void begin()
    const timer = setTimeout(() => setCount((n) => n - 1), 1000)
    return () => clearTimeout(timer)
  }, [phase, count])

  const stop = async () => {
    const running = recorder.current
    if (!running || takeId === null) return
    recorder.current = null
    setTried(triesIn(readScript(text), { again: latestMarks.current, shown: prompter.current?.shown() ?? [] }))
    setPhase('saving')
    await running.stop()
    opened?.close()
    const file = await (await openSpool()).file(takeId)
    if (file === null) {
      void dropTake(takeId)
      setTakeId(null)
      setNothing(true)
      return setPhase('ready')
    }
    setWatched(URL.createObjectURL(file))
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
    if (watched) URL.revokeObjectURL(watched)
    setWatched(null)
    setTakeId(null)
    setEnding(undefined)
    setMarks([])
    setPhase('ready')
    void open()
  }
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
  useAwake(isRunning || phase === 'counting' || phase === 'waiting')

  return (
    <div className="flex min-h-dvh flex-col bg-night text-on-night">
      <title>{`${messages.title} · Clear to Post`}</title>
      <header className="flex h-14 shrink-0 items-center gap-3 px-3">
        {!isRunning && phase !== 'waiting' && phase !== 'counting' && phase !== 'saving' ? (
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
        <h1 className="sr-only">{messages.title}</h1>
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
          onAgain={() => void open()}
          onCameraAlone={() => {
            change({ subject: 'camera' })
            void open({}, 'camera')
          }}
        />
      ) : phase === 'watch' && watched ? (
        <WatchTake
          url={watched}
          isSound={subject === 'sound'}
          ms={upload?.take?.ms ?? 0}
          retakes={marks.length}
          tried={tried}
          ending={ending}
          isAway={isAway}
          onAnother={another}
          onThrowAway={() => setSheet('throw')}
        />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <div className="relative mx-auto flex w-full min-h-40 max-w-3xl flex-1 justify-center overflow-hidden bg-black sm:rounded-card">
            <video
              ref={video}
              autoPlay
              muted
              playsInline
              aria-label={subject === 'screen' ? messages.screenView : messages.view}
              className={cx(
                'absolute inset-0 size-full object-contain',
                subject === 'camera' && '-scale-x-100',
                subject === 'sound' && 'invisible',
              )}
            />
            {subject === 'sound' && (
              <p className="absolute inset-0 grid place-content-center justify-items-center gap-3 px-8 pt-40 text-center text-muted-on-night">
                <Mic aria-hidden className="size-10" />
                {messages.soundAlone}
              </p>
            )}
            <div className="relative z-10 w-full px-2 pt-2">
              {text !== '' && (
                <Prompter
                  text={text}
                  settings={settings}
                  takeMs={() => (phase === 'recording' ? (recorder.current?.ms() ?? null) : null)}
                  db={senses.db}
                  handle={prompter}
                />
              )}
            </div>
            {phase === 'ready' && stream && subject === 'camera' && <HeadOutline />}
            {phase === 'waiting' && (
              <p
                role="status"
                className="absolute inset-0 z-20 grid place-items-center px-8 pt-40 text-center text-2xl font-bold text-white [text-shadow:0_0_24px_#000]"
              >
                {messages.waitsForVoice}
              </p>
            )}
            {phase === 'counting' && (
              <p
                role="alert"
                aria-label={messages.startsIn(count)}
                className="figures absolute inset-0 z-20 grid place-items-center text-9xl font-bold text-white [text-shadow:0_0_24px_#000]"
              >
                {count}
              </p>
            )}
            {camera.state === 'opening' && (
              <p role="status" className="absolute inset-0 grid place-items-center px-8 text-center">
                {messages.opening}
              </p>
            )}
          </div>
          <div className="mx-auto grid w-full max-w-3xl gap-3 px-4 py-4 pb-[calc(1rem+env(safe-area-inset-bottom))]">
            {phase === 'ready' && (
              <TakeChecks
                sound={senses.sound}
                light={senses.light}
                hasStream={stream !== null}
                hasNothing={hasNothing}
                room={room}
              />
            )}
            {isRunning && upload && (
              <p className="text-sm text-muted-on-night">
                {upload.isFragile
                  ? messages.notKept
                  : upload.state === 'paused'
                    ? messages.waitsForNetwork
                    : messages.sentSoFar(percentWords(upload.sentBytes / upload.fileSize))}
              </p>
            )}
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
            />
            {phase === 'ready' && isAway && (
              <p role="status" className="text-center text-sm text-muted-on-night">
                {messages.away}
              </p>
            )}
            {phase === 'ready' && text === '' && (
              <p className="text-center text-sm text-muted-on-night">{messages.noScriptHint}</p>
            )}
          </div>
        </div>
      )}

      {sheet === 'script' && (
        <ScriptSheet
          text={text}
          onChange={(captionSuggestion, title) =>
            changeDraft({ captionSuggestion, ...(title && draft.title === '' ? { title: title.slice(0, 120) } : {}) })
          }
          onClose={() => setSheet(null)}
        />
      )}
      {sheet === 'settings' && (
        <SettingsSheet
          settings={settings}
          change={change}
          camera={camera}
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
          if (takeId) void dropTake(takeId)
          another()
        }}
      />
    </div>
  )
}

/** Where a head fills a tall picture as feeds show it, above what captions take. */
const HeadOutline = () => (
  <svg aria-hidden viewBox="0 0 90 160" className="pointer-events-none absolute inset-0 size-full text-white/50">
    <ellipse
      cx="45"
      cy="60"
      rx="19"
      ry="26"
      fill="none"
      stroke="currentColor"
      strokeWidth="0.6"
      strokeDasharray="2 1.6"
    />
  </svg>
)
