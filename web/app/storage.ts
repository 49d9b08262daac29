/**
 * Texts that this browser keeps under a key. Where its storage is full or forbidden nothing throws: what it does not take is kept as
 * long as the page stands. All of the app keeps texts by this alone (storage.test.ts).
 */
type Texts = {
  read: (key: string) => string | null
  keep: (key: string, text: string) => void
  drop: (key: string) => void
  /** Of what is kept, in no order. */
  keys: () => string[]
}

const textsIn = (storage: () => Storage): Texts => {
  const unkept = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T): T | null => {
    try {
      return work(storage())
    } catch {
      return null
    }
  }
  const drop = (key: string) => {
    unkept.delete(key)
    attempt((one) => one.removeItem(key))
  }
  return {
    read: (key) => unkept.get(key) ?? attempt((one) => one.getItem(key)),
    keep: (key, text) => {
      unkept.delete(key)
      if (attempt((one) => (one.setItem(key, text), true))) return
      // An older one there would be taken for the newest after a reload.
      drop(key)
      unkept.set(key, text)
    },
    drop,
    keys: () => [...new Set([...(attempt((one) => Object.keys(one)) ?? []), ...unkept.keys()])],
  }
}

/** What lasts: every tab of this browser reads it, also tomorrow. */
export const onDevice = textsIn(() => localStorage)
/** What ends with this tab, and outlives its reload. */
export const inTab = textsIn(() => sessionStorage)
