/**
 * What a person wrote and did not send, in this tab: by its storage where the browser has room for it, and otherwise as long as the
 * page stands. Whoever writes loses no word to a storage that is full or forbidden.
 */
export const keepText = (person: string, of: string, text: string): void => {
  const key = keyOf(person, of)
  try {
    sessionStorage.setItem(key, text)
    unkept.delete(key)
  } catch {
    unkept.set(key, text)
  }
}

export const dropText = (person: string, of: string): void => {
  unkept.delete(keyOf(person, of))
  try {
    sessionStorage.removeItem(keyOf(person, of))
  } catch {
    // A storage that is forbidden keeps nothing.
  }
}

export const textKept = (person: string, of: string): string | null => {
  try {
    return unkept.get(keyOf(person, of)) ?? sessionStorage.getItem(keyOf(person, of))
  } catch {
    return null
  }
}

/** Under what something of this person is kept, where it begins so; in no order. */
export const keptUnder = (person: string, beginning: string): string[] => {
  const whole = keyOf(person, beginning)
  return [...new Set([...keysOfTab(), ...unkept.keys()])]
    .filter((key) => key.startsWith(whole))
    .map((key) => beginning + key.slice(whole.length))
}

/** What the storage did not take; the rest of a person's is forgotten by its key (`forget.ts`). */
export const forgetUnkept = (person: string): void => {
  for (const key of unkept.keys()) if (key.startsWith(keyOf(person, ''))) unkept.delete(key)
}

const unkept = new Map<string, string>()

const keysOfTab = (): string[] => {
  try {
    return Object.keys(sessionStorage)
  } catch {
    return []
  }
}

/** Whoever signs in next in this tab finds nothing of others. */
const keyOf = (person: string, of: string): string => `written ${person} ${of}`
