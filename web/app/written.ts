import { inTab } from './storage.ts'

/**
 * What a person wrote and did not send, in this tab: by its storage where the browser has room for it, and otherwise as long as the
 * page stands. Whoever writes loses no word to a storage that is full or forbidden.
 */
export const keepText = (person: string, of: string, text: string): void => inTab.keep(keyOf(person, of), text)

export const dropText = (person: string, of: string): void => inTab.drop(keyOf(person, of))

export const textKept = (person: string, of: string): string | null => inTab.read(keyOf(person, of))

/** Under what something of this person is kept, where it begins so; in no order. */
export const keptUnder = (person: string, beginning: string): string[] => {
  const whole = keyOf(person, beginning)
  return inTab
    .keys()
    .filter((key) => key.startsWith(whole))
    .map((key) => beginning + key.slice(whole.length))
}

/** Whoever signs in next in this tab finds nothing of others. */
const keyOf = (person: string, of: string): string => `written ${person} ${of}`
