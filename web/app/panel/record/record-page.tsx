import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, Pause, Play, RotateCcw, ScrollText, Settings2, TriangleAlert, Video, X } from 'lucide-react'
import { mostNoted, type TakeLog } from '@clear-to-post/domain/take-log'
import { openTakeBytes, uploaders } from '@clear-to-post/domain/upload-room'
import { closeCamera, recordingFormat } from '../../recorder/camera.ts'
import { checkLight, checkSound, type Check } from '../../recorder/checks.ts'
import { recordTake, type Ending, type TakeRecorder } from '../../recorder/take-recorder.ts'
import { spool as openSpool } from '../../spool/open.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { clockWords, percentWords, sizeWords } from '../../times.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useAwake } from '../../ui/use-awake.ts'
import { dropTake, followTake, whileRecording } from '../assets/takes.ts'
import { startUpload, useUploads } from '../assets/uploads.ts'
import { useDraft } from '../projects/draft.ts'
import { messages } from './messages.ts'
import { faster, Prompter, type PrompterHandle } from './prompter.tsx'
import { ScriptSheet } from './script-sheet.tsx'
import { listenTo, lookAt } from './senses.ts'
import { SettingsSheet } from './settings-sheet.tsx'
import { useSettings } from './settings.ts'
import { useCamera } from './use-camera.ts'

type Phase = 'ready' | 'counting' | 'recording' | 'paused' | 'saving' | 'watch'

/** One screen: the camera as a mirror, the words below its lens, and one red button. */
export const RecordPage = () => {
  const user = useUser()
  const navigate = useNavigate()
  const { draft, change: changeDraft } = useDraft(user.id)
  const { settings, change } = useSettings()
  const { camera, open } = useCamera(settings)
  const [phase, setPhase] = useState<Phase>('ready')
  const [count, setCount] = useState(3)
  const [ending, setEnding] = useState<Ending>()
  const [marks, setMarks] = useState<TakeLog['again']>([])
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
  const stream = camera.state === 'open' ? camera.stream : null
  const senses = useSenses(stream, video, phase === 'ready')
  const text = draft.captionSuggestion
  const isRunning = phase === 'recording' || phase === 'paused'
  const upload = useUploads().find(({ key }) => key === takeId)
  const room = useRoom()

  const isWatching = phase === 'watch'
  useEffect(() => {
    if (video.current && stream) video.current.srcObject = stream
  }, [stream, isWatching])

  const startCount = () => {
    senses.wake()
    setNothing(false)
    setEnding(undefined)
    setCount(3)
    setPhase('counting')
  }
  const begin = useEffectEvent(async () => {
    const format = recordingFormat()
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
    setPhase('saving')
    await running.stop()
    closeCamera(stream)
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
  useKeys({
    r: () => (phase === 'ready' ? stream && startCount() : isRunning && void stop()),
    p: () => isRunning && pauseOrGoOn(),
    b: () => isRunning && again(),
    Escape: () => phase === 'counting' && setPhase('ready'),
    ArrowLeft: () => prompter.current?.move({ words: -5 }),
    ArrowRight: () => prompter.current?.move({ words: 5 }),
    ArrowUp: () => prompter.current?.move({ sentences: -1 }),
    ArrowDown: () => prompter.current?.move({ sentences: 1 }),
    '+': () => change({ wordsAMinute: faster(settings.wordsAMinute, 1) }),
    '-': () => change({ wordsAMinute: faster(settings.wordsAMinute, -1) }),
  })
  useLeaveAsked(isRunning)
  useAwake(isRunning || phase === 'counting')

  return (
    <div className="flex min-h-dvh flex-col bg-night text-on-night">
      <title>{`${messages.title} · Clear to Post`}</title>
      <header className="flex h-14 shrink-0 items-center gap-3 px-3">
        {!isRunning && phase !== 'counting' && phase !== 'saving' ? (
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
        {isRunning && <Clock recorder={recorder} />}
      </header>

      {camera.state === 'failed' ? (
        <Failed failure={camera.failure} onAgain={() => void open()} />
      ) : phase === 'watch' && watched ? (
        <div className="mx-auto grid w-full max-w-lg flex-1 content-start gap-4 px-4 pb-6">
          <h2 className="text-lg">{messages.watchTitle}</h2>
          {ending && (
            <p role="alert" className="flex gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {messages.endings[ending]}
            </p>
          )}
          <p className="text-muted-on-night">
            {messages.watchText(clockWords((upload?.take?.ms ?? 0) / 1000))}
            {marks.length > 0 && ` ${messages.retakes(marks.length)}.`}
          </p>
          <video
            src={watched}
            controls
            playsInline
            aria-label={messages.player}
            className="max-h-[55dvh] w-full rounded-card bg-black"
          />
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              size="large"
              className="max-sm:w-full"
              onPress={() => void navigate({ to: paths.newVideo })}
            >
              {messages.use}
            </Button>
            <Button size="large" className="max-sm:w-full" onPress={another}>
              {messages.recordAnother}
            </Button>
            <Button
              variant="quiet"
              size="large"
              className="text-on-night! max-sm:w-full"
              onPress={() => setSheet('throw')}
            >
              {messages.throwAway}
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <div className="relative mx-auto flex w-full min-h-40 max-w-3xl flex-1 justify-center overflow-hidden bg-black sm:rounded-card">
            <video
              ref={video}
              autoPlay
              muted
              playsInline
              aria-label={messages.view}
              className="absolute inset-0 size-full -scale-x-100 object-contain"
            />
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
            {phase === 'ready' && stream && <HeadOutline />}
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
              <div role="status" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
                {hasNothing && <Said kind="warn">{messages.nothing}</Said>}
                {stream && <SoundSaid check={senses.sound} />}
                {senses.light && senses.light in messages.checks.light && (
                  <Said kind={senses.light === 'good' ? 'good' : 'warn'}>
                    {messages.checks.light[senses.light as keyof typeof messages.checks.light]}
                  </Said>
                )}
                {room !== null && <Said kind="warn">{messages.little(room)}</Said>}
              </div>
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
            <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3">
              <div className="flex justify-end gap-2">
                {isRunning ? (
                  <Round label={phase === 'recording' ? messages.pause : messages.goOn} onPress={pauseOrGoOn}>
                    {phase === 'recording' ? <Pause aria-hidden /> : <Play aria-hidden />}
                  </Round>
                ) : (
                  <Round
                    label={text === '' ? messages.writeScript : messages.changeScript}
                    onPress={() => setSheet('script')}
                  >
                    <ScrollText aria-hidden />
                  </Round>
                )}
              </div>
              {phase === 'counting' ? (
                <Button size="large" onPress={() => setPhase('ready')}>
                  {messages.cancelCount}
                </Button>
              ) : (
                <IconButton
                  label={isRunning ? messages.stop : messages.start}
                  isDisabled={!stream || phase === 'saving'}
                  onPress={() => (isRunning ? void stop() : startCount())}
                  className="size-18! rounded-full! border-4 border-white bg-transparent! hover:bg-white/10!"
                >
                  <span
                    aria-hidden
                    className={cx('bg-[#e5342b]', isRunning ? 'size-7 rounded-md' : 'size-14 rounded-full')}
                  />
                </IconButton>
              )}
              <div className="flex gap-2">
                {isRunning ? (
                  <Round label={messages.again} onPress={again}>
                    <RotateCcw aria-hidden />
                  </Round>
                ) : (
                  <Round label={messages.settings} onPress={() => setSheet('settings')}>
                    <Settings2 aria-hidden />
                  </Round>
                )}
              </div>
            </div>
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

const SoundSaid = ({ check }: { check: Check }) =>
  check === null || !(check in messages.checks.sound) ? (
    <Said kind="muted">{messages.checks.soundUnknown}</Said>
  ) : (
    <Said kind={check === 'good' ? 'good' : 'warn'}>
      {messages.checks.sound[check as keyof typeof messages.checks.sound]}
    </Said>
  )

const Said = ({ kind, children }: { kind: 'good' | 'warn' | 'muted'; children: string }) => (
  <span className={cx('inline-flex items-center gap-1.5', kind === 'muted' && 'text-muted-on-night')}>
    {kind === 'good' && <CircleCheck aria-hidden className="size-4 text-[#60bd7d]" />}
    {kind === 'warn' && <TriangleAlert aria-hidden className="size-4 text-[#d69e3c]" />}
    {children}
  </span>
)

const Round = ({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) => (
  <IconButton
    label={label}
    onPress={onPress}
    className="size-12! rounded-full! bg-white/10! text-on-night! hover:bg-white/20!"
  >
    {children}
  </IconButton>
)

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

const Clock = ({ recorder }: { recorder: RefObject<TakeRecorder | null> }) => {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMs(recorder.current?.ms() ?? 0), 250)
    return () => clearInterval(timer)
  }, [recorder])
  return (
    <time aria-label={messages.length} className="figures font-mono text-sm">
      {clockWords(Math.floor(ms / 1000))}
    </time>
  )
}

const Failed = ({ failure, onAgain }: { failure: keyof typeof messages.failures; onAgain: () => void }) => {
  const navigate = useNavigate()
  const { title, text } = messages.failures[failure]
  return (
    <div className="mx-auto grid max-w-md flex-1 content-center justify-items-center gap-4 px-6 py-10 text-center">
      <h2 className="text-xl">{title}</h2>
      <p role="alert" className="text-muted-on-night">
        {text}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" icon={<RotateCcw aria-hidden />} onPress={onAgain}>
          {messages.tryAgain}
        </Button>
        {/* Opens the camera on phones and tablets; elsewhere it would only be a second file dialog. */}
        <span className="hidden pointer-coarse:block">
          <FileTrigger
            acceptedFileTypes={['video/*']}
            defaultCamera="user"
            onSelect={(files) => {
              for (const file of files ?? []) startUpload(file)
              if (files?.length) void navigate({ to: paths.newVideo })
            }}
          >
            <Button icon={<Video aria-hidden />}>{messages.ownCamera}</Button>
          </FileTrigger>
        </span>
        <LinkButton to={paths.newVideo}>{messages.chooseFile}</LinkButton>
      </div>
    </div>
  )
}

/** What the microphone hears and the camera sees; said while nothing is recorded. */
const useSenses = (stream: MediaStream | null, video: RefObject<HTMLVideoElement | null>, isTold: boolean) => {
  const ear = useRef<ReturnType<typeof listenTo> | null>(null)
  const [told, setTold] = useState<{ sound: Check; light: Check }>({ sound: null, light: null })
  useEffect(() => {
    if (!stream || stream.getAudioTracks().length === 0) return
    const heard = listenTo(stream)
    ear.current = heard
    heard.wake()
    return () => {
      ear.current = null
      heard.close()
    }
  }, [stream])
  useEffect(() => {
    if (!stream || !isTold) return
    const look = lookAt()
    // The loudest of the last three seconds: whoever tests it says a word or two.
    let peaks: number[] = []
    const listening = setInterval(() => {
      const db = ear.current?.db()
      if (db !== undefined) peaks = [...peaks.slice(-29), db]
    }, 100)
    const telling = setInterval(() => {
      const sound = checkSound(peaks.length < 15 ? null : Math.max(...peaks))
      const light = checkLight(video.current ? look(video.current) : null)
      setTold((before) => (before.sound === sound && before.light === light ? before : { sound, light }))
    }, 500)
    return () => {
      clearInterval(listening)
      clearInterval(telling)
    }
  }, [stream, isTold, video])
  return { ...told, db: () => ear.current?.db() ?? -100, wake: () => ear.current?.wake() }
}

/** Room on this device in words where it is too little for ten minutes; null where it is enough or nobody knows. */
const useRoom = (): string | null => {
  const [room, setRoom] = useState<string | null>(null)
  useEffect(() => {
    void navigator.storage?.estimate?.().then(({ quota, usage }) => {
      const left = (quota ?? Number.POSITIVE_INFINITY) - (usage ?? 0)
      if (left < 600e6) setRoom(sizeWords(left))
    })
  }, [])
  return room
}

const useKeys = (keys: Record<string, () => unknown>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target.closest('input, textarea, select, video, [role="dialog"], [role="alertdialog"], [role="listbox"]'))
      return
    const work = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!work) return
    event.preventDefault()
    work()
  })
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** What was recorded is safe either way; but a take goes on only where its page stays. */
const useLeaveAsked = (isRunning: boolean): void => {
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
}
