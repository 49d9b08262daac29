import { useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react'
import {
  advance,
  readScript,
  sentenceStart,
  show,
  weightBetween,
  wordAt,
  type Script,
  type Shown,
} from '../../recorder/prompter.ts'
import type { Read } from '../../recorder/pace.ts'
import { hear, silence } from '../../recorder/voice.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'
import { pace, type Settings } from './settings.ts'

export type PrompterHandle = {
  /** Moves by words; whole sentences with `sentences`. */
  move: (by: { words?: number; sentences?: number }) => void
  /** Back to where this sentence, or the one just ended, begins. Answers its first word. */
  again: () => number
  toStart: () => void
  /** Which word was shown when, since the last `toStart`. */
  shown: () => Shown
  /** What was read since then. Whoever ends at the last lines has said them. */
  read: () => Read
  /** Where the words are, and whether they move by themselves. */
  place: () => { word: number; isMoving: boolean }
  /** To a word that another device says. */
  goTo: (word: number) => void
}

/**
 * The script below the lens. It runs by itself while the take does and somebody speaks; React draws it once, and its words
 * move without it. `takeMs` is where the take is, null while none runs.
 */
export const Prompter = ({
  text,
  settings,
  takeMs,
  db,
  handle,
  isTall = false,
  onWord,
}: {
  text: string
  settings: Pick<Settings, 'mode' | 'wordsAMinute' | 'size' | 'width' | 'isMirrored'>
  takeMs: () => number | null
  db: () => number
  handle: Ref<PrompterHandle>
  /** As many lines as there is room for. */
  isTall?: boolean
  /** Hears which word was pressed. */
  onWord?: (word: number) => void
}) => {
  const script = useMemo(() => readScript(text), [text])
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLParagraphElement>(null)
  const at = useRef(0)
  const shown = useRef<Shown>([])
  const read = useRef<Read>({ words: 0, speakingMs: 0 })
  const isMoving = useRef(false)
  const latest = useRef({ settings, takeMs, db })
  latest.current = { settings, takeMs, db }
  const go = (place: number) => (at.current = Math.max(0, Math.min(script.length, place)))
  /** By hand, because the words are behind or ahead of the voice: the pace of the take is told by that. */
  const correct = (place: number) => {
    const from = at.current
    go(place)
    if (takeMs() !== null) read.current.words += weightBetween(script, from, at.current)
  }

  useImperativeHandle(handle, () => ({
    move: ({ words = 0, sentences = 0 }) => {
      if (sentences === 0) return correct(Math.round(at.current) + words)
      const word = wordAt(script, at.current)
      if (word === null) return
      const next = script.sentenceOf[word]! + 1
      correct(sentences > 0 ? (script.begins[next] ?? script.length) : previousStart(script, at.current))
    },
    again: () => go(previousStart(script, at.current)),
    toStart: () => {
      go(0)
      shown.current = []
      read.current = { words: 0, speakingMs: 0 }
    },
    shown: () => shown.current,
    read: () => {
      const rest = weightBetween(script, at.current, script.length)
      const isAtEnd = rest <= read.current.words * lastLines
      return { ...read.current, words: read.current.words + (isAtEnd ? rest : 0) }
    },
    place: () => ({ word: wordAt(script, at.current) ?? 0, isMoving: isMoving.current }),
    goTo: correct,
  }))

  useEffect(() => {
    at.current = Math.min(at.current, script.length)
    const [box, words] = [outer.current, inner.current]
    if (!box || !words) return
    const spans = [...words.querySelectorAll<HTMLElement>('[data-word]')]
    let voice = silence
    let before = performance.now()
    let marked: number | null = null
    let y = Number.NaN
    let glide: Animation | undefined
    const tick = () => {
      // Who comes back to a page that slept goes on where they were.
      const now = performance.now()
      const dtMs = Math.min(100, now - before)
      before = now
      const { settings: set, takeMs: take, db: level } = latest.current
      voice = hear(voice, level(), dtMs)
      const ms = take()
      const { mode, wordsAMinute } = set
      isMoving.current = ms !== null && (mode === 'steady' || voice.isSpeaking)
      if (ms !== null) {
        const from = at.current
        at.current = advance(script, from, { mode, isSpeaking: voice.isSpeaking, wordsAMinute, dtMs })
        read.current.words += weightBetween(script, from, at.current)
        if (voice.isSpeaking) read.current.speakingMs += dtMs
      }
      const word = wordAt(script, at.current)
      if (ms !== null) show(shown.current, word, ms)
      if (word === marked && !Number.isNaN(y)) return
      for (let one = Math.min(marked ?? 0, word ?? 0); one <= Math.max(marked ?? 0, word ?? 0); one++)
        spans[one]?.classList.toggle('opacity-45', one < (word ?? 0))
      if (marked !== null) spans[marked]?.removeAttribute('aria-current')
      if (word !== null) spans[word]?.setAttribute('aria-current', 'true')
      marked = word
      const nextY = word === null ? 0 : (spans[word]?.offsetTop ?? 0)
      if (nextY === y) return
      // The words glide by an animation, which goes on evenly while the page itself is busy, and costs it nothing.
      const from = Number.isNaN(y) ? `translateY(${-nextY}px)` : getComputedStyle(words).transform
      glide?.cancel()
      const to = `translateY(${-nextY}px)`
      glide = words.animate([{ transform: from }, { transform: to }], { duration: glideMs, easing, fill: 'forwards' })
      y = nextY
    }
    tick()
    const timer = setInterval(tick, tickMs)
    return () => {
      clearInterval(timer)
      glide?.cancel()
    }
  }, [script, settings.size, settings.width])

  return (
    <div
      ref={outer}
      role="group"
      aria-label={messages.prompter}
      tabIndex={0}
      onClick={({ target }) => {
        const word = (target as HTMLElement).dataset['word']
        if (word === undefined) return
        correct(Number(word))
        onWord?.(Number(word))
      }}
      className={cx(
        'relative mx-auto w-full overflow-hidden rounded-control bg-black/70 px-4 text-white -outline-offset-4',
        isTall ? 'h-full' : `max-h-[max(4.5rem,18dvh)] ${heights[settings.size]}`,
        settings.width === 'narrow' ? 'max-w-72' : isTall ? 'max-w-3xl' : 'max-w-xl',
        settings.isMirrored && '-scale-x-100',
      )}
    >
      {/* The line that is read stands still; what was read goes up, what comes comes from below. */}
      <span aria-hidden className="absolute top-4 left-1 h-[1.3em] w-1 rounded-full bg-coral" />
      <p
        ref={inner}
        className={cx(
          isTall ? 'pt-3 pb-[80dvh]' : 'pt-3 pb-40',
          ' font-medium will-change-transform',
          (isTall ? tallLooks : looks)[settings.size],
        )}
      >
        {script.parts.map((part, place) =>
          part.kind === 'line' ? (
            <br key={place} />
          ) : part.kind === 'note' ? (
            <i key={place} className="text-[0.8em] text-amber-200">
              {part.text}{' '}
            </i>
          ) : (
            <span key={place} data-word={part.word} className="cursor-pointer">
              {part.text}{' '}
            </span>
          ),
        )}
      </p>
    </div>
  )
}

/** Often enough for a voice, which is heard after 150 ms, and a fraction of what looking at each picture costs. */
const tickMs = 50
const glideMs = 480
const easing = 'cubic-bezier(0.2, 0.6, 0.3, 1)'

/** Whoever has just begun a sentence means the one before. */
const previousStart = (script: Script, at: number): number => {
  const begin = sentenceStart(script, at)
  return at - begin < 1.5 ? sentenceStart(script, at, 1) : begin
}

export const faster = (wordsAMinute: number, steps: number): number =>
  Math.max(pace.least, Math.min(pace.most, wordsAMinute + steps * pace.step))

const looks = {
  small: 'text-lg leading-[1.42]',
  medium: 'text-2xl leading-[1.42]',
  large: 'text-4xl leading-[1.38]',
} as const
const tallLooks = {
  small: 'text-2xl leading-[1.42]',
  medium: 'text-4xl leading-[1.38]',
  large: 'text-6xl leading-[1.3]',
} as const
/** So much of what was read may be left when a take ends at its last lines. */
const lastLines = 0.15
// Four lines, three where they are large.
const heights = { small: 'h-[6.9rem]', medium: 'h-[8.8rem]', large: 'h-[9.8rem]' } as const
