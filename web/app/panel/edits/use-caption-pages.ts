import { useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { captionTrack } from '@clear-to-post/edit/caption-track'
import type { Page } from '@clear-to-post/edit/captions'
import {
  pageStarts,
  pageText,
  setPageStart,
  shownWords,
  wordAt,
  wordsOfPage,
  writePage,
  type ShownWord,
} from '@clear-to-post/edit/commands/caption-pages'
import { breakBefore } from '@clear-to-post/edit/commands/captions'
import type { Command } from '@clear-to-post/edit/commands/command'
import { preciseClock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'
import { atFrame, frameOf } from './timeline-player.ts'
import type { Bar, TrackHand } from './track.tsx'
import type { Workbench } from './use-bench.ts'
import type { Held, Hold } from './use-held.ts'
import type { PreviewParts } from './use-preview.ts'
import { captionWords } from './words/captions.ts'

/** A caption that is written: its words as they were when it was opened, and where it stands in the frame. */
export type OpenPage = { words: readonly ShownWord[]; box: Page['box']; merge: string }

type Parts = { bench: Workbench; preview: PreviewParts; held: Held | null; hold: Hold }

/** The captions, page by page: written on the picture, split, joined, and their ends drawn from word to word. */
export const useCaptionPages = ({ bench, preview, held, hold }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const { timeline, track, tools, player } = preview
  const [open, setOpen] = useState<OpenPage | null>(null)
  const pages = useMemo(() => track?.pages ?? [], [track])
  // Pages of the second language are written sentence by sentence, beside the captions.
  const isSecond = recipe.translation?.inPicture ?? false
  const mayMove = mayWrite && !isSecond
  const index = held?.kind === 'page' ? Number(held.id) : -1
  const measure = tools?.measure
  const pagesAfter = (next: typeof recipe) => (measure ? captionTrack(next, measure).pages : [])

  const bars = useMemo(() => {
    const time = (frame: number) => preciseClock(atFrame(frame, timeline.fps))
    return pages.map((page, i): Bar => {
      const text = isSecond
        ? page.lines
            .flat()
            .map(({ written }) => written)
            .join(' ')
        : pageText(recipe, wordsOfPage(recipe, page))
      const end = (at: number) => {
        const starts = pageStarts(recipe, pages, at).map(({ frame }) => frame)
        const value = pages[at]?.from ?? page.to
        return { value, min: Math.min(value, ...starts), max: Math.max(value, ...starts), text: time(value) }
      }
      return {
        id: String(i),
        title: text,
        label: captionWords.pageAt(text, time(page.from), time(page.to)),
        windows: [{ from: page.from, to: page.to }],
        ends: i === index && !isSecond ? { from: end(i), to: end(i + 1) } : undefined,
      }
    })
  }, [recipe, pages, timeline, index, isSecond])

  /** A page’s start at the word nearest to a frame, if both pages then hold their words. */
  const setStart = (at: number, frame: number, merge: string) => {
    if (!mayMove) return
    const first = (page: Page | undefined) => page?.lines[0]?.[0]?.id
    const next = setPageStart(pages, at, frame)(recipe)
    if (next === recipe) return
    const starts = new Set(pagesAfter(next).map(first))
    const begins = pageStarts(recipe, pages, at).find(({ id }) => next.captions.overrides[id]?.break === 'page')
    if (starts.has(first(pages[at - 1])) && begins && starts.has(begins.id))
      change(captionWords.did.moved, setPageStart(pages, at, frame), merge)
  }
  const boundary = (id: string, edge: 'from' | 'to') => Number(id) + (edge === 'from' ? 0 : 1)
  const step = (id: string, edge: 'from' | 'to', by: number) => {
    const at = boundary(id, edge)
    const here = pages[at]?.from
    const frames = pageStarts(recipe, pages, at).map(({ frame }) => frame)
    const next = by > 0 ? frames.find((frame) => frame > here!) : frames.findLast((frame) => frame < here!)
    if (here !== undefined && next !== undefined) setStart(at, next, `nudge page ${at}`)
  }
  const hand: TrackHand = {
    hold: (id, edge) => {
      hold({ kind: 'page', id, edge })
      const page = pages[Number(id)]
      if (!page || edge !== null) return
      player.pause()
      player.seek(atFrame(page.from, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
    },
    setEnd: (id, edge, value, merge) => setStart(boundary(id, edge), value, merge),
    stepEnd: step,
  }
  const pageHere = () => {
    const frame = frameOf(player.time(), timeline.fps)
    return pages.find(({ from, to }) => frame >= from && frame < to)
  }
  // Before the fonts are there no caption has its place: whoever asks for one gets it with them.
  const isAsked = useRef(false)
  const edit = (page = pageHere()) => {
    if (!mayMove) return isSecond ? void toast.info(captionWords.inSecond) : undefined
    player.pause()
    isAsked.current = !track
    if (!track) toast.info(preview.toolsFailed ? messages.fontsFailed : captionWords.soon)
    else if (!page) toast.info(captionWords.noCaption)
    else
      setOpen({ words: shownWords(recipe, wordsOfPage(recipe, page)), box: page.box, merge: `caption ${Date.now()}` })
  }
  const editHere = useRef(edit)
  useEffect(() => {
    editHere.current = edit
  })
  useEffect(() => {
    if (!track || !isAsked.current) return
    isAsked.current = false
    // Who has gone on meanwhile is not called back.
    if (!player.state().playing) editHere.current()
  }, [track, player])
  /** Joins before a word, where all of it fits on one page. */
  const join = (id: string | undefined) => {
    const word = id !== undefined && recipe.words.findIndex((one) => one.id === id)
    if (!id || word === false) return
    const joined: Command = breakBefore(id, 'joined')
    const isOne = pagesAfter(joined(recipe)).some((page) => {
      const ids = wordsOfPage(recipe, page).map((one) => one.id)
      return ids.indexOf(id) > 0
    })
    if (!isOne) toast.info(captionWords.tooLong)
    else change(captionWords.did.joined, joined)
    setOpen(null)
  }
  const pageOf = (id: string | undefined) =>
    pages.findIndex((page) => wordsOfPage(recipe, page).some((word) => word.id === id))
  return {
    pages,
    mayEdit: mayMove,
    bars,
    hand,
    held: index >= 0 && pages[index] ? { id: String(index), edge: held?.edge ?? null } : null,
    nudge: (by: number) => held?.edge && step(held.id, held.edge, by),
    open,
    edit,
    /** The one in hand on the track. */
    editHeld: () => edit(pages[index]),
    close: () => setOpen(null),
    write: (text: string) => open && change(captionWords.did.written, writePage(open.words, text), open.merge),
    split: (text: string, place: number) => {
      const id = open && wordAt(open.words, text, place)
      if (!id) toast.info(captionWords.notHere)
      else {
        change(captionWords.did.split, breakBefore(id, 'page'))
        setOpen(null)
      }
    },
    joinBefore: () => join(open?.words[0]?.id),
    joinAfter: () => {
      const next = pages[pageOf(open?.words.at(-1)?.id) + 1]
      join(next && wordsOfPage(recipe, next)[0]?.id)
    },
  }
}

export type CaptionPages = ReturnType<typeof useCaptionPages>
