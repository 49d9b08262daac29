import type { Recipe } from '@clear-to-post/edit/recipe'
import { answered, browserTable } from './browser-table.ts'
import { readDocument } from './document.ts'
import { inTab, onDevice } from '../../storage.ts'

/**
 * Work that the service does not have yet, kept in this browser by person, project and page, with the revision it was made
 * from: two tabs of one project never keep theirs in the other's place. What a tab left behind, closed or ended with its
 * browser, is taken up by the next that opens the project.
 *
 * It is kept twice. What is put into `localStorage` is there after a reload at once, but reaches the disk seconds later; what
 * is put into IndexedDB is on the disk when it says so, but is lost by a reload before that. Of both the newer one counts.
 */
export type Kept = {
  revision: number
  recipe: Recipe
  /** Signs (`signOf`) of what was sent to the service since that revision, without an answer. */
  sent: string[]
}

/** Keeps it. Resolves when it is on this machine's disk; false where the browser cannot do that. */
export const keep = async (userId: string, projectId: string, kept: Kept): Promise<boolean> => {
  const key = `${keyOf(userId, projectId)}:${page}`
  const note: Note = { ...kept, at: Date.now() }
  keeps.add(key)
  onDevice.keep(key, JSON.stringify(note))
  inTab.keep(remembered, page)
  return put(key, note)
}

/** The service has it all: this page keeps nothing any more, nor what it began with. */
export const dropKept = (userId: string, projectId: string): void => {
  const key = keyOf(userId, projectId)
  if (keeps.delete(`${key}:${page}`)) drop(`${key}:${page}`)
  if (!takenUp?.key.startsWith(key)) return
  const { key: from, at } = takenUp
  takenUp = null
  // Unless a tab that is still open has gone on with it.
  if ((local(from)?.at ?? 0) <= at) drop(from)
}

/** What this tab kept before it was loaded anew, else the newest of what others have left. Never fails. */
export const readKept = async (userId: string, projectId: string): Promise<Kept | null> => {
  const key = keyOf(userId, projectId)
  const notes = new Map(await onDisk(key))
  for (const one of localKeys(key)) {
    const [here, there] = [local(one), notes.get(one)]
    if (here && (!there || there.at <= here.at)) notes.set(one, here)
  }
  for (const [one, { recipe, at }] of notes)
    if (!recipe && at < Date.now() - day && local(one) === null) void put(one, null)
  const found = [...notes].flatMap(([one, note]) => read(one, note) ?? []).toSorted((a, b) => b.at - a.at)
  const before = inTab.read(remembered)
  const newest = found.find((one) => one.key === `${key}:${before}`) ?? found[0]
  if (!newest) return null
  takenUp = { key: newest.key, at: newest.at }
  return newest.kept
}

const keyOf = (userId: string, projectId: string) => `edit:${userId}:${projectId}`

/** Of this page of this tab: a tab that was duplicated begins with what the other one remembers. */
const page = Math.random().toString(36).slice(2)
const remembered = 'edit-page'
const day = 86_400_000

/** Under what this page keeps something. */
const keeps = new Set<string>()

/** What this page began with: where that was kept, and when. */
let takenUp: { key: string; at: number } | null = null

/**
 * What is kept under a key. Without a recipe: what was kept there until then has been saved. That stays for a while, since
 * what `localStorage` forgets comes back with a browser that ended before its disk heard of it.
 */
type Note = Partial<Kept> & { at: number }

const read = (key: string, { revision, recipe, sent, at }: Note) => {
  const document = recipe && readDocument(recipe)
  if (!document || !Number.isInteger(revision)) return null
  return { key, at, kept: { revision: revision!, recipe: document, sent: sent ?? [] } satisfies Kept }
}

const local = (key: string): Note | null => {
  try {
    const note = JSON.parse(onDevice.read(key) ?? 'null') as Note | null
    return note && { ...note, at: note.at ?? 0 }
  } catch {
    return null
  }
}

const localKeys = (prefix: string): string[] => onDevice.keys().filter((key) => key.startsWith(prefix))

const drop = (key: string) => {
  onDevice.drop(key)
  void put(key, { at: Date.now() })
}

const table = 'kept'

const database = browserTable('edits', table)

/** Notes that wait for the one that is being written: of each key the newest alone. */
const waiting = new Map<string, { note: Note | null; heard: ((isKept: boolean) => void)[] }>()
let writing: Promise<void> | null = null

const put = (key: string, note: Note | null): Promise<boolean> =>
  new Promise((heard) => {
    waiting.set(key, { note, heard: [...(waiting.get(key)?.heard ?? []), heard] })
    writing ??= writeAll().finally(() => (writing = null))
  })

const writeAll = async () => {
  while (waiting.size > 0) {
    const all = [...waiting]
    waiting.clear()
    const isKept = await write(all.map(([key, { note }]) => [key, note])).then(
      () => true,
      () => false,
    )
    for (const [, { heard }] of all) for (const one of heard) one(isKept)
  }
}

const write = async (notes: (readonly [string, Note | null])[]): Promise<void> => {
  const writes = (await database()).transaction(table, 'readwrite', { durability: 'strict' })
  for (const [key, note] of notes)
    if (note === null) writes.objectStore(table).delete(key)
    else writes.objectStore(table).put(note, key)
  await new Promise<void>((resolve, reject) => {
    writes.oncomplete = () => resolve()
    writes.onabort = () => reject(writes.error ?? new Error('It was not kept.'))
  })
}

const onDisk = async (prefix: string): Promise<[string, Note][]> => {
  try {
    const reads = (await database()).transaction(table).objectStore(table)
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
    const [keys, notes] = await Promise.all([answered(reads.getAllKeys(range)), answered(reads.getAll(range))])
    return keys.map((key, i) => [String(key), notes[i] as Note])
  } catch {
    return []
  }
}
