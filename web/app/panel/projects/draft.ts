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

export const useDraft = (userId: string) => {
  const key = keyOf(userId)
  const [draft, setDraft] = useState(() => read(key))
  useEffect(() => {
    if (draft === blank) onDevice.drop(key)
    else onDevice.keep(key, JSON.stringify(draft))
  }, [key, draft])
  return {
    draft,
    isBegun: draft.title !== '' || draft.instructions !== '' || draft.captionSuggestion !== '',
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    /** At once, also when the page is left in the same moment. */
    clear: () => {
      onDevice.drop(key)
      setDraft(blank)
    },
  }
}

const keyOf = (userId: string) => `draft ${userId}`

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
