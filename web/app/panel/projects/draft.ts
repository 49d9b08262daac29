import { useEffect, useState } from 'react'
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

/** `officerId`: whose video it becomes, where that is somebody else's. What was written for one never stands at another. */
export const useDraft = (userId: string, officerId: string | null = null) => {
  const key = keyOf(userId, officerId)
  const [held, setHeld] = useState(() => ({ key, draft: read(key) }))
  // Chosen on the page: what stands there goes along, unless something was begun for that officer.
  const found = held.key === key ? null : read(key)
  const draft = found === null || found === blank ? held.draft : found
  if (found !== null) {
    if (found === blank) onDevice.drop(held.key)
    setHeld({ key, draft })
  }
  const setDraft = (next: (before: Draft) => Draft) => setHeld((before) => ({ key, draft: next(before.draft) }))
  useEffect(() => {
    if (draft === blank) onDevice.drop(key)
    else onDevice.keep(key, JSON.stringify(draft))
  }, [key, draft])
  // Another tab of this page has the same form: what is written there stands here.
  useEffect(() => {
    const heard = (event: StorageEvent) => {
      if (event.key === key) setHeld({ key, draft: read(key) })
    }
    addEventListener('storage', heard)
    return () => removeEventListener('storage', heard)
  }, [key])
  return {
    draft,
    isBegun: draft.title !== '' || draft.instructions !== '' || draft.captionSuggestion !== '',
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    /** Takes away what was sent, as it stood at the press: at once, also when the page is left in the same moment. */
    sent: (pressed: Draft) => {
      const left = leftOf(read(key), pressed)
      if (left === blank) onDevice.drop(key)
      else onDevice.keep(key, JSON.stringify(left))
      setDraft(() => left)
    },
  }
}

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
