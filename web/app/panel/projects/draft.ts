import { useState, useSyncExternalStore } from 'react'
import { captionStyleValues, type CaptionStyle } from '@clear-to-post/domain/captions'
import { onDevice } from '../../storage.ts'

/** The form of a new video as far as it was written; kept on this device so that a reload loses nothing. */
export type Draft = {
  title: string
  instructions: string
  captionSuggestion: string
  captionStyle: CaptionStyle
  /** A Home Tour's. */
  tour: { address: string; price: string; beds: string; baths: string }
  /** `YYYY-MM`; null is the first month with a right left. */
  month: string | null
}

/** Puts a script into the new video before its page is opened: a title, and the words that captions will spell. */
export const putScript = (userId: string, { title, words }: { title: string; words: string }): void =>
  onDevice.keep(keyOf(userId), JSON.stringify({ ...read(keyOf(userId)), title, captionSuggestion: words }))

/** Would `putScript` replace something that was typed? */
export const hasScriptOrTitle = (userId: string): boolean => {
  const { title, captionSuggestion } = read(keyOf(userId))
  return title !== '' || captionSuggestion !== ''
}

/** The form of a new video as a page shows it. `officerId`: whose video it becomes, where that is somebody else's. */
export const useDraft = (userId: string, officerId: string | null = null) => {
  const [form] = useState(() => openForm(userId, officerId))
  const held = useSyncExternalStore(form.subscribe, form.held, form.held)
  const { title, instructions, captionSuggestion } = held.draft
  return { ...form, ...held, isBegun: title !== '' || instructions !== '' || captionSuggestion !== '' }
}

/**
 * The form in one tab. Other tabs have it, too: what is written there stands here, and is not kept again. Only a change keeps
 * something, and no more than the fields that were written here: two tabs take nothing from each other but the same field.
 */
export const openForm = (userId: string, officerId: string | null = null) => {
  let held = { officerId, draft: read(keyOf(userId, officerId)) }
  /** Written since the focus came to a field: nothing from elsewhere takes its place meanwhile. */
  let written: Part = {}
  /** It was submitted, and waits to be sent: from the press on it is this tab's own, whatever others write for the next video. */
  let isOwn = false
  const listeners = new Set<() => void>()
  const key = () => keyOf(userId, held.officerId)
  const show = (next: Partial<typeof held>) => {
    held = { ...held, ...next }
    listeners.forEach((listener) => listener())
  }
  const showKept = () => show({ draft: merged(read(key()), written) })
  const hear = (event: StorageEvent) => {
    if (event.key === key()) showKept()
  }
  return {
    held: () => held,
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) addEventListener('storage', hear)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) removeEventListener('storage', hear)
      }
    },
    change: (part: Part) => {
      written = { ...written, ...part, tour: { ...written.tour, ...part.tour } }
      keep(key(), merged(read(key()), isOwn ? part : written))
      showKept()
    },
    /** The focus comes to a field, or leaves one: it shows what is kept by now. */
    look: () => {
      if (isOwn) return
      written = {}
      showKept()
    },
    /**
     * Chooses for whom the video is, on the page: what stands there goes along, unless something was begun for them. What was
     * written for one never stands at another.
     */
    chooseOfficer: (chosen: string) => {
      const [from, to] = [key(), keyOf(userId, chosen)]
      if (from === to) return
      if (isBlank(read(to))) {
        keep(to, held.draft)
        onDevice.drop(from)
      }
      written = {}
      show({ officerId: chosen, draft: read(to) })
      if (isOwn) written = held.draft
    },
    /** It was submitted: what stands here is what will be sent. */
    submitted: () => {
      isOwn = true
      written = held.draft
    },
    /** Takes away what was sent, as it stood at the press: at once, also when the page is left in the same moment. */
    sent: (pressed: Draft) => {
      keep(key(), leftOf(read(key()), pressed))
      isOwn = false
      written = {}
      showKept()
    },
  }
}

/** Fields of it; of the house each is one. */
type Part = Partial<Omit<Draft, 'tour'>> & { tour?: Partial<Draft['tour']> }

const merged = (draft: Draft, { tour, ...part }: Part): Draft => ({
  ...draft,
  ...part,
  tour: { ...draft.tour, ...tour },
})

const keep = (key: string, draft: Draft): void =>
  isBlank(draft) ? onDevice.drop(key) : onDevice.keep(key, JSON.stringify(draft))

/** What was written since; `blank` where nothing was. */
export const leftOf = (now: Draft, pressed: Draft): Draft => {
  const since = Object.entries(now).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(pressed[part as keyof Draft]),
  )
  return since.length === 0 ? blank : { ...blank, ...(Object.fromEntries(since) as Partial<Draft>) }
}

const keyOf = (userId: string, officerId: string | null = null) =>
  officerId === null ? `draft ${userId}` : `draft ${userId} for ${officerId}`

const noHouse = { address: '', price: '', beds: '', baths: '' }
const blank: Draft = { title: '', instructions: '', captionSuggestion: '', captionStyle: 1, tour: noHouse, month: null }
const isBlank = (draft: Draft): boolean => JSON.stringify(draft) === JSON.stringify(blank)

const read = (key: string): Draft => {
  try {
    const kept = JSON.parse(onDevice.read(key) ?? 'null') as Partial<Draft> | null
    if (kept === null) return blank
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return {
      title: text(kept.title),
      instructions: text(kept.instructions),
      captionSuggestion: text(kept.captionSuggestion),
      captionStyle: captionStyleValues.find((value) => value === kept.captionStyle) ?? blank.captionStyle,
      tour: {
        address: text(kept.tour?.address),
        price: text(kept.tour?.price),
        beds: text(kept.tour?.beds),
        baths: text(kept.tour?.baths),
      },
      month: typeof kept.month === 'string' ? kept.month : null,
    }
  } catch {
    return blank
  }
}
