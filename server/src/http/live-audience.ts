import type { z } from 'zod'
import { liveEvents, mostWatched, type LiveEvents, type LiveQuery } from '@clear-to-post/contract/live'
import { hasDuty, reachesTenant, servesAll } from '@clear-to-post/domain/roles'
import type { Caller } from '../kernel/database.ts'

export type Name = keyof LiveEvents
export type Data = LiveEvents[Name]
/** What the database tells: an event, and whom it concerns: a person, and the staff of a tenant. */
export type Told = { type: Name | 'account'; userId: string | null; tenantId?: string | null }

/** What a stream asked for, beside what concerns its own person. */
export type Watch = { lists: boolean; support: boolean; projects: ReadonlySet<string> }
export type Listener = {
  caller: Caller
  /** Undefined: everything. */
  watch?: Watch | undefined
  /** What came since this moment (of `performance.now`) is told once more, instead of `again`: when its page was read. */
  from?: number | undefined
  send: (name: Name, data: Data) => void
  /** Ends it after what was sent; it is here until its line has closed. */
  close: () => void
  /** Ends it with what was not read. */
  cut?: () => void
  /** Asks once more whether the session counts, and closes when it does not. */
  recheck: () => Promise<boolean>
}

/** Between two hints about one company's list there is at least this time. */
export const hintEveryMs = 2000
/** So many projects one hint names at most; of more a page reads its list. */
export const mostHinted = 100
/** What was told is remembered for a page that comes back within this time, and no more than so much of it. */
const rememberedMs = 60_000
const mostRemembered = 20_000

export const readWatch = (watch: z.infer<typeof LiveQuery>['watch']): Watch | undefined =>
  watch && {
    lists: watch.includes('projects'),
    support: watch.includes('support'),
    projects: new Set(watch.filter((one) => one.startsWith('project:')).map((one) => one.slice('project:'.length))),
  }

/**
 * Who listens, found by what they asked for, so that an event costs as much as those who hear it. Staff without a watch hear all of
 * their reach, as programs and pages of earlier releases do. A list hears of changes together: the first at once, then every
 * `hintEveryMs`, with the ids of what changed.
 */
export class Audience {
  /** All of them; the oldest come first. */
  readonly listeners = new Set<Listener>()
  readonly #people = new Index()
  readonly #projects = new Index()
  /** Lists by company; of whoever serves all, by null. */
  readonly #lists = new Index()
  readonly #support = new Set<Listener>()
  readonly #everything = new Set<Listener>()
  readonly #doubted = new Set<Listener>()
  readonly #hints = new Map<string | null, Hint>()
  /** As they were read when they were told, the oldest first: whoever comes back costs a glance at each, however many come. */
  #remembered: Remembered[] = []
  /** What was told since then is remembered. */
  #since = performance.now()

  add(listener: Listener): void {
    this.listeners.add(listener)
    for (const place of this.#placesOf(listener)) place.add(listener)
  }

  /** A person's streams, the oldest first. */
  of(personId: string): ReadonlySet<Listener> {
    return this.#people.of(personId)
  }

  /** Whether it was there. */
  delete(listener: Listener): boolean {
    if (!this.listeners.delete(listener)) return false
    this.#doubted.delete(listener)
    for (const place of this.#placesOf(listener)) place.delete(listener)
    return true
  }

  /** Whether the sessions of those who listen now still count is not known: they hear nothing until they are trusted again. */
  doubtAll(): Listener[] {
    for (const one of this.listeners) this.#doubted.add(one)
    // Those first that were not asked at the last beginning.
    return [...this.#doubted]
  }

  /** Tells it to look again, for what it has not heard meanwhile. */
  trust(listener: Listener): void {
    if (this.#doubted.delete(listener)) listener.send('again', {})
  }

  /** Nothing is remembered of what came before. */
  forget(): void {
    this.#remembered = []
    this.#since = performance.now()
  }

  tell(told: Told): void {
    const { type, ...rest } = told
    // Whose role, company or right to be here changed opens the next stream with what they are now, or does not.
    if (type === 'account') {
      for (const one of this.#people.of(rest.userId)) one.close()
      return
    }
    const read = eventOf(type, rest)
    if (!read) return
    const { name, data } = read
    // What devices tell each other is of use for a moment, and carries words.
    if (name !== 'prompter')
      this.#remember({ at: performance.now(), name, data, userId: rest.userId, tenantId: rest.tenantId ?? null })
    for (const one of this.#people.of(rest.userId)) this.#send(one, name, data)
    if (isOwn(name, data)) return
    const send = (one: Listener) => {
      if (one.caller.id !== rest.userId && concerns(one.caller, rest.tenantId ?? null, name))
        this.#send(one, name, data)
    }
    for (const one of name === 'again' ? this.listeners : this.#everything) send(one)
    if (name === 'support') for (const one of this.#support) send(one)
    if ('projectId' in data) for (const one of this.#projects.of(data.projectId)) send(one)
    if (name === 'project') this.#hint(rest.tenantId ?? null, (data as LiveEvents['project']).projectId)
  }

  /** What a page that was away for a moment, or looks at something else now, has not heard: or that it is not known. */
  catchUp(listener: Listener): void {
    const { from, caller, watch } = listener
    if (from === undefined || from < this.#since) return listener.send('again', {})
    const changed = new Set<string>()
    for (const { at, name, data, userId, tenantId } of this.#remembered) {
      if (at < from) continue
      const isTheirs = userId === caller.id
      if (!isTheirs && (isOwn(name, data) || !concerns(caller, tenantId, name))) continue
      const projectId = 'projectId' in data ? data.projectId : null
      if (
        isTheirs ||
        watch === undefined ||
        (name === 'support' && watch.support) ||
        watch.projects.has(projectId ?? '')
      )
        listener.send(name, data)
      else if (name === 'project' && watch.lists) changed.add(projectId!)
    }
    if (changed.size > 0) listener.send('projects', hintOf(changed))
  }

  close(): void {
    for (const { timer } of this.#hints.values()) clearTimeout(timer)
    this.#hints.clear()
  }

  // Whoever serves all hears of every company, so theirs is a hint of its own.
  #hint(tenantId: string | null, projectId: string): void {
    for (const reach of tenantId === null ? [null] : [tenantId, null]) {
      if (this.#lists.of(reach).size === 0) continue
      const hint = this.#hints.get(reach) ?? { changed: new Set<string>(), timer: undefined }
      this.#hints.set(reach, hint)
      // One more than is named tells that there are more.
      if (hint.changed.size <= mostHinted) hint.changed.add(projectId)
      if (hint.timer === undefined) this.#sendHint(reach, hint)
    }
  }

  #sendHint(reach: string | null, hint: Hint): void {
    const data = hintOf(hint.changed)
    hint.changed = new Set()
    for (const one of this.#lists.of(reach)) this.#send(one, 'projects', data)
    hint.timer = setTimeout(() => {
      hint.timer = undefined
      if (hint.changed.size > 0) this.#sendHint(reach, hint)
      else this.#hints.delete(reach)
    }, hintEveryMs)
  }

  #send(one: Listener, name: Name, data: Data): void {
    if (!this.#doubted.has(one)) one.send(name, data)
  }

  #remember(one: Remembered): void {
    const now = one.at
    this.#remembered.push(one)
    if (this.#remembered.length < 2 * mostRemembered && now - this.#remembered[0]!.at < 2 * rememberedMs) return
    const kept = this.#remembered.filter(({ at }) => now - at < rememberedMs).slice(-mostRemembered)
    if (kept.length < this.#remembered.length) this.#since = this.#remembered.at(-kept.length - 1)!.at
    this.#remembered = kept
  }

  /** How many places are kept for somebody: none once everybody has left. */
  get placesKept(): number {
    return [this.#people, this.#projects, this.#lists].reduce((sum, index) => sum + index.size, 0)
  }

  #placesOf(listener: Listener): Place[] {
    const { caller, watch } = listener
    const reaches = hasDuty(caller.role, 'serve')
    return [
      this.#people.place(caller.id),
      ...(watch === undefined && reaches ? [this.#everything] : []),
      ...(watch?.support ? [this.#support] : []),
      ...(watch?.lists && reaches ? [this.#lists.place(servesAll(caller) ? null : caller.tenantId)] : []),
      ...[...(watch?.projects ?? [])].slice(0, mostWatched).map((id) => this.#projects.place(id)),
    ]
  }
}

type Remembered = { at: number; name: Name; data: Data; userId: string | null; tenantId: string | null }

type Hint = { changed: Set<string>; timer: NodeJS.Timeout | undefined }

const hintOf = (changed: ReadonlySet<string>): LiveEvents['projects'] => ({
  projectIds: [...changed].slice(0, mostHinted),
  isMore: changed.size > mostHinted,
})

/** Where somebody listens. */
type Place = { add: (listener: Listener) => unknown; delete: (listener: Listener) => unknown }

/** Sets of listeners by a key; one that is empty is dropped, and none is made by asking. */
class Index {
  readonly #sets = new Map<string | null, Set<Listener>>()

  get size(): number {
    return this.#sets.size
  }

  of(key: string | null): ReadonlySet<Listener> {
    return this.#sets.get(key) ?? empty
  }

  place(key: string | null): Place {
    return {
      add: (listener) => {
        const set = this.#sets.get(key) ?? new Set<Listener>()
        this.#sets.set(key, set.add(listener))
      },
      delete: (listener) => {
        const set = this.#sets.get(key)
        if (set?.delete(listener) && set.size === 0) this.#sets.delete(key)
      },
    }
  }
}
const empty: ReadonlySet<Listener> = new Set()

// A newer release that shares the database may tell what this one does not know. Of a kind that no page of this release shows,
// nothing is passed on; of a known one with news of a new shape its pages read again.
const eventOf = (type: Name, told: unknown): { name: Name; data: Data } | undefined => {
  if (!Object.hasOwn(liveEvents, type)) return undefined
  const read = liveEvents[type].safeParse(told)
  return read.success ? { name: type, data: read.data } : { name: 'again', data: {} }
}

// Somebody's inbox and recorder are theirs, and so is a file that belongs to no project yet.
const isOwn = (name: Name, data: Data): boolean =>
  name === 'notification' || name === 'prompter' || ('projectId' in data && data.projectId === null)

/** Staff hear of what is within their reach. */
const concerns = (caller: Caller, tenantId: string | null, name: Name): boolean =>
  hasDuty(caller.role, name === 'support' ? 'administer' : 'serve') && reachesTenant(caller, tenantId)
