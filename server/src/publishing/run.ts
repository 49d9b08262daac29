import {
  isOver,
  mayBeOut,
  isAskedAgain,
  nextLook,
  nextTry,
  partOf,
  postTries,
  prepareMinutes,
  processingHours,
  secondsBeforeTry,
  settleSeconds,
  type FailureKind,
  type PostEvent,
  type PostPart,
} from '@clear-to-post/domain/posting'
import { mostCrashes } from '@clear-to-post/domain/crashes'
import { networks as limits, type NetworkLimits } from '@clear-to-post/domain/networks'
import { systemCaller, type Tx } from '../kernel/database.ts'
import {
  RefusedByNetwork,
  SilentNetwork,
  type Handles,
  type PostAtNetwork,
  type PostedFile,
  type Work,
} from '../outside/networks/adapter.ts'
import { provesAccounts, publishBringsFile } from '../outside/networks/networks.ts'
import { storage } from '../outside/storage.ts'
import { approvedWorkOf, withAccess, workOf, type PostDeps, type RunDeps } from './adapter-work.ts'
import { leaseFrom, TakenOver } from './lease.ts'
import { lateWords, movePost, PostMoved, sayLate, sayUnheard, withdrawFor } from './move.ts'
import { forgetProblems, wantFile } from './post-files.ts'
import {
  addHandles,
  claimPost,
  forgiveRun,
  isStillApproved,
  lockRun,
  postsAlike,
  releasePost,
  savePost,
  shareProject,
  type PostChanges,
  type PostRow,
} from './store.ts'

/**
 * Brings a post as far as it goes now: makes it ready, asks the network to publish it once its moment has come, and asks what
 * became of it. Whatever happens to the process, the next run finds in the row what was done and what is not known; a post that
 * may be out is only asked about. Answers when it is looked at next; null when nothing more happens by itself, undefined when
 * another run has it. `part`: no further than that part of the work. `signal`: its worker is closing.
 */
export const runPost = async (
  deps: PostDeps,
  postId: string,
  { part, signal }: { part?: PostPart; signal?: AbortSignal } = {},
): Promise<Date | null | undefined> => {
  const { database, now } = deps
  const claimed = await database.asSystem((tx) => claimPost(tx, postId, now(), leaseFrom(now())))
  if (!claimed) return undefined
  await using copies = storage().copies()
  const running = { ...deps, copies }
  const forgive = () => void database.asSystem((tx) => forgiveRun(tx, postId, claimed.run)).catch(() => {})
  signal?.addEventListener('abort', forgive)
  try {
    let at: Step = isDeadly(claimed) ? await crashed(running, claimed) : { post: claimed, next: 'go on' }
    const isMine = ({ state, network }: PostRow) =>
      part === undefined || partOf(state, publishBringsFile(deps.networks, network)) === part
    while (at.next === 'go on' && isMine(at.post)) at = await step(running, at.post)
    // What is another part's is taken up by it, at once.
    const next = at.next === 'go on' ? now() : at.next
    await database.asSystem((tx) => releasePost(tx, postId, claimed.run, next))
    return next
  } catch (error) {
    // Another run has it, and knows better.
    if (error instanceof PostMoved || error instanceof TakenOver) return undefined
    await broken(running, claimed).catch(() => {})
    throw error
  } finally {
    signal?.removeEventListener('abort', forgive)
  }
}

/** Workers died over it, one after another. Asking what became of it is a short request, and worth more tries. */
const isDeadly = ({ state, crashes }: PostRow): boolean => crashes >= (mayBeOut(state) ? postTries : mostCrashes)
const crashedWords = 'We could not send this file: our service stopped twice while it worked on this post.'

/** It is not begun again by itself. What may be out already is its officer's to look at. */
const crashed = (deps: RunDeps, post: PostRow): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => {
    if (fresh.state === 'handed') return { post: fresh, next: 'go on' }
    const after = mayBeOut(fresh.state)
      ? await move(tx, deps, fresh, 'lose', { next_at: null })
      : await move(tx, deps, fresh, 'fail', failure('retry', crashedWords))
    return { post: after, next: null }
  })

/** A fault of ours: tried again as a network that is silent is, and of what may be out a few times; then told. */
const broken = (deps: RunDeps, post: PostRow): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => {
    const tried = fresh.tried + 1
    const isAsked = mayBeOut(fresh.state)
    const mayAsk = tried < postTries ? inSeconds(deps, secondsBeforeTry(tried)) : null
    const next = isAsked ? mayAsk : nextTry(tried, { dueAt: fresh.due_at, now: deps.now() })
    if (next !== null) {
      const after = await counted(tx, deps, { ...fresh, next_at: next })
      if (!isAsked) await sayLate(tx, after, next, 'something went wrong on our side.')
      await releasePost(tx, post.id, post.run, next)
      return { post: after, next }
    }
    const words = failure('permanent', 'Something went wrong on our side.')
    const event = isAsked ? 'lose' : 'fail'
    return { post: await move(tx, deps, fresh, event, isAsked ? { next_at: null } : words), next: null }
  })

type Step = { post: PostRow; next: 'go on' | Date | null }

const step = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  switch (post.state) {
    case 'scheduled':
      return begin(deps, post)
    case 'preparing':
      return prepare(deps, post)
    case 'prepared':
      return publish(deps, post)
    case 'armed':
    case 'sent':
      return reconcile(deps, post)
    case 'processing':
      return watch(deps, post)
    case 'handed':
      return watchHanded(deps, post)
    default:
      return { post, next: null }
  }
}

const begin = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  const early = new Date(post.due_at.getTime() - prepareMinutes * 60_000)
  if (deps.now() < early) return { post, next: early }
  return inRun(deps, post, async (tx, fresh) => {
    if (!(await isStillApproved(tx, fresh))) return withdraw(tx, deps, fresh)
    if (fresh.fit !== null || fresh.cover_ms !== null) await forgetProblems(tx, fresh.asset_id)
    return { post: await move(tx, deps, fresh, 'prepare'), next: 'go on' }
  })
}

const prepare = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  try {
    const files = await bringFiles(deps, post)
    if (files.next !== 'go on') return files
    post = files.post
    // What the network was told of it before was looked at then: it is looked at again with each byte that goes there.
    const isBegun = Object.keys(post.handles).length > 0
    if (isOver(post.due_at, deps.now()))
      return await fail(deps, post, 'retry', 'The video was not ready at the network in time.')
    const { open: network, work } = await (isBegun ? workOf : approvedWorkOf)(deps, post)
    const outcome = await withAccess(deps, post, work, network.adapter.prepare)
    if (outcome === 'waiting') return { post, next: inSeconds(deps, 15) }
    return inRun(deps, post, async (tx, fresh) => {
      if (!(await isStillApproved(tx, fresh))) return withdraw(tx, deps, fresh)
      return { post: await move(tx, deps, fresh, 'prepared', { tried: 0 }, work.file), next: 'go on' }
    })
  } catch (error) {
    return failed(deps, post, error, 'stay')
  }
}

/** The files that are posted instead of the approved one, or beside it, are made first. */
const bringFiles = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  const { takesCover }: NetworkLimits = limits[post.network]
  const wanted = [
    ...(post.fit !== null && post.file_id === null ? [['file_id', { fit: post.fit }] as const] : []),
    ...(takesCover === 'file' && post.cover_ms !== null && post.cover_file_id === null
      ? [['cover_file_id', { coverMs: post.cover_ms }] as const]
      : []),
  ]
  if (wanted.length === 0) return { post, next: 'go on' }
  if (nextTry(postTries, { dueAt: post.due_at, now: deps.now() }) === null)
    return fail(deps, post, 'retry', 'The file for this network was not ready in time.')
  return inRun(deps, post, async (tx, fresh) => {
    if (!(await isStillApproved(tx, fresh))) return withdraw(tx, deps, fresh)
    const after = { ...fresh }
    for (const [column, recipe] of wanted) {
      const file = await wantFile(tx, {
        assetId: fresh.asset_id,
        sha256: fresh.sha256,
        recipe,
        owner: fresh.user_id,
      })
      if (file.problem !== null) throw new RefusedByNetwork('permanent', file.problem)
      if (file.sha256 === null) {
        const next = inSeconds(deps, 5)
        await sayLate(tx, fresh, next, 'its file for this network is not made yet.')
        return { post: fresh, next }
      }
      after[column] = file.id
    }
    await savePost(tx, after, deps.now())
    return { post: after, next: 'go on' }
  })
}

const publish = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  if (deps.now() < post.due_at) return { post, next: post.due_at }
  if (isOver(post.due_at, deps.now())) return fail(deps, post, 'retry', 'It could not go out within a day of its time.')
  // Nothing of it is there yet, so whatever the network calls the same is another post: it was not armed before.
  const ready = await approvedWorkOf(deps, { ...post, armed_at: null }).catch((error: unknown) => ({ error }))
  if ('error' in ready) return failed(deps, post, ready.error, 'stay')
  const { open: network, work } = ready
  // Committed before the request: whoever comes after this knows that it may have been sent.
  const armed = await inRun(deps, post, async (tx, fresh) => {
    if (!(await isStillApproved(tx, fresh))) return withdraw(tx, deps, fresh)
    return { post: await move(tx, deps, fresh, 'arm', { armed_at: deps.now() }, work.file), next: 'go on' }
  })
  if (armed.post.state !== 'armed') return armed
  try {
    const asking = whileApproved(deps, armed.post, work)
    return await settle(deps, armed.post, await withAccess(deps, armed.post, asking, network.adapter.publish))
  } catch (error) {
    // Its one request was not sent, or refused for its token alone.
    if (error instanceof TakenBack && !network.adapter.publishAsksMore)
      return inRun(deps, armed.post, async (tx, fresh) => withdraw(tx, deps, await move(tx, deps, fresh, 'absent')))
    if (error instanceof SilentNetwork || error instanceof TakenBack)
      return { post: armed.post, next: inSeconds(deps, settleSeconds) }
    if (!(error instanceof RefusedByNetwork)) throw error
    // A sign-in or patience is asked for before anything is done.
    const isBefore = error.kind === 'reauth' || error.kind === 'limit'
    if (isBefore && !network.adapter.publishAsksMore) return failed(deps, armed.post, error, 'absent')
    // It said no; but some say no to what they did all the same, so it is asked before anybody is told.
    return noteRefusal(deps, armed.post, error)
  }
}

/** Its approval was taken back before a request: that one is not sent. */
class TakenBack extends Error {}

/**
 * Whatever changes something at the network is asked only while the video is approved, again with another token, too. What was
 * refused before is forgotten with it: of what is sent now nobody has heard.
 */
const whileApproved = (deps: RunDeps, post: PostRow, work: Work): Work => {
  const { ask } = work
  // Its handles are read anew each time: the object itself is lent.
  work.ask = async (address, request) => {
    if ((request?.method ?? 'GET') !== 'GET')
      await inRun(deps, post, async (tx, fresh) => {
        if (!(await isStillApproved(tx, fresh))) throw new TakenBack()
        return { post: notedRefusal(fresh) ? await note(tx, fresh, deps, withoutRefusal) : fresh, next: null }
      })
    return ask(address, request)
  }
  return work
}

/** What a network said to a post that may be out all the same; told once it has proved that nothing is. */
const noteRefusal = (deps: RunDeps, post: PostRow, { kind, message, again }: RefusedByNetwork): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => ({
    post: await note(tx, fresh, deps, {
      refusedKind: kind,
      refusedWords: message,
      refusedAgain: again?.getTime() ?? null,
    }),
    next: inSeconds(deps, settleSeconds),
  }))

const notedRefusal = ({ handles }: PostRow): RefusedByNetwork | null => {
  const { refusedKind: kind, refusedWords: words, refusedAgain: again } = handles
  if (!kind) return null
  return new RefusedByNetwork(kind as FailureKind, String(words), typeof again === 'number' ? new Date(again) : null)
}
const withoutRefusal = { refusedKind: null, refusedWords: null, refusedAgain: null }

/** A post that was armed, and of which nobody has heard: the network alone knows. */
const reconcile = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  const settled = new Date(post.armed_at!.getTime() + settleSeconds * 1000)
  if (deps.now() < settled) return { post, next: settled }
  const noted = notedRefusal(post)
  try {
    const { open: network, work } = await workOf(deps, post)
    const asking = network.adapter.findSends ? whileApproved(deps, post, work) : work
    const standing = await withAccess(deps, post, asking, network.adapter.find).catch((error: unknown) => {
      // Asked twice by sending it, it has said no twice: there is nothing that it would name as a duplicate.
      if (!network.adapter.findSends || !isForGood(error)) throw error
      return error
    })
    if (!(standing instanceof RefusedByNetwork)) return await settle(deps, post, standing)
    // Refused from the beginning, nothing is there; after silence a refusal says nothing of what was sent before.
    return await (noted ? fail(deps, post, standing.kind, standing.message) : loseInTime(deps, post))
  } catch (error) {
    if (error instanceof TakenBack)
      return inRun(deps, post, async (tx, fresh) => ({
        post: await move(tx, deps, fresh, 'lose', { next_at: null }),
        next: null,
      }))
    // Refused for now, so nothing was sent: what was said before holds.
    if (noted && error instanceof RefusedByNetwork) await noteRefusal(deps, post, noted)
    return unanswered(deps, post, error)
  }
}

const isForGood = (error: unknown): error is RefusedByNetwork =>
  error instanceof RefusedByNetwork && (error.kind === 'permanent' || error.kind === 'policy')

const watch = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  try {
    const { open: network, work } = await workOf(deps, post)
    const standing = await withAccess(deps, post, work, network.adapter.find)
    if (standing.is === 'live' || standing.is === 'refused' || standing.is === 'handed')
      return await settle(deps, post, standing)
    if (standing.is === 'expired')
      throw new RefusedByNetwork('permanent', 'The network gave the video up while working on it.')
    return await stillWaiting(deps, post)
  } catch (error) {
    if (isForGood(error)) return fail(deps, post, error.kind, error.message)
    return unanswered(deps, post, error)
  }
}

/** Its owner posts it in the app within a day, which the network tells; afterwards nobody looks any more. */
const watchHanded = async (deps: RunDeps, post: PostRow): Promise<Step> => {
  const ends = new Date(post.armed_at!.getTime() + processingHours * 3_600_000)
  if (deps.now() >= ends) return { post, next: null }
  const next = inSeconds(deps, 600)
  try {
    const { open: network, work } = await workOf(deps, post)
    const standing = await withAccess(deps, post, work, network.adapter.find)
    return standing.is === 'live' ? await settle(deps, post, standing) : { post, next }
  } catch (error) {
    if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
    return { post, next }
  }
}

/** A network that is asked by sending, and refuses: it is asked a few times, and then its officer looks. */
const loseInTime = (deps: RunDeps, post: PostRow): Promise<Step> =>
  inRun(deps, post, (tx, fresh) => askAgainOrLose(tx, deps, fresh))

const askAgainOrLose = async (tx: Tx, deps: RunDeps, post: PostRow): Promise<Step> =>
  post.tried + 1 >= postTries
    ? { post: await move(tx, deps, post, 'lose', { next_at: null }), next: null }
    : { post: await counted(tx, deps, post), next: inSeconds(deps, secondsBeforeTry(post.tried + 1)) }

/** What the network says becomes the post's state. */
const settle = (deps: RunDeps, post: PostRow, standing: PostAtNetwork): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => {
    const now = deps.now()
    switch (standing.is) {
      case 'live': {
        const isProved = provesAccounts(deps.networks.of(fresh.network))
        const alike = standing.id === null ? [] : await postsAlike(tx, fresh, standing.id, isProved)
        const isAnothers = alike.some(({ remote_id: id }) => id === standing.id)
        if (standing.isTwin && isAnothers) {
          const words = `${limits[fresh.network].name} has a post with these words already. Schedule it with other words.`
          return { post: await move(tx, deps, fresh, 'fail', failure('permanent', words)), next: null }
        }
        // Which of the two it is, the other one's answer says.
        if (standing.isTwin && alike.length > 0) return askAgainOrLose(tx, deps, fresh)
        const changes = {
          remote_id: isAnothers ? null : standing.id,
          address: isAnothers ? null : standing.address,
          live_at: now,
          failure: null,
          failure_words: null,
        }
        return { post: await move(tx, deps, fresh, 'live', { ...changes, next_at: null }), next: null }
      }
      case 'processing':
        return { post: await move(tx, deps, fresh, 'process', { tried: 0 }), next: inSeconds(deps, 30) }
      case 'handed':
        return { post: await move(tx, deps, fresh, 'hand', { tried: 0 }), next: inSeconds(deps, 600) }
      case 'refused':
        return { post: await move(tx, deps, fresh, 'fail', failure(standing.kind, standing.words)), next: null }
      case 'absent':
      case 'expired': {
        const refused = notedRefusal(fresh)
        const { kind, message } = refused ?? { kind: 'retry' as const, message: 'The network did not take the video.' }
        // A long upload that goes on after each interruption is not given up for their number.
        const tried = standing.is === 'absent' && standing.isFurther ? 0 : fresh.tried + 1
        const isGone = standing.is === 'expired'
        // Each beginning counts its own tries: what is thrown away there again and again is given up by these.
        const restarts = Number(fresh.handles['restarts'] ?? 0) + (isGone ? 1 : 0)
        // Proved that nothing is there of what workers died over twice: it is not sent a third time.
        if (
          fresh.recalled_at === null &&
          standing.is === 'absent' &&
          !standing.isFurther &&
          fresh.crashes >= mostCrashes
        )
          return { post: await move(tx, deps, fresh, 'fail', failure('retry', crashedWords)), next: null }
        const next = nextOf(deps, fresh, tried, refused)
        // What was taken back ends as that, whatever was said to it before.
        if (fresh.recalled_at === null && (restarts >= postTries || next === null))
          return { post: await move(tx, deps, fresh, 'fail', failure(kind, message)), next: null }
        const handles: Handles = isGone ? { restarts } : { ...fresh.handles, ...withoutRefusal }
        const changes = { tried, handles }
        const post = await move(tx, deps, fresh, isGone ? 'restart' : 'absent', changes)
        // Proved not to be there, it is sent again at once; a network that was silent for long is given time.
        if (fresh.recalled_at !== null || next === null || (!refused && tried < postTries))
          return { post, next: 'go on' }
        await sayLate(tx, post, next, lateWords(kind, refused !== null), refused?.again)
        return { post, next }
      }
      default: {
        const { until } = standing
        // Too early to be counted; it may appear sooner.
        if (until && now < until)
          return { post: fresh, next: new Date(Math.min(until.getTime(), now.getTime() + 60_000)) }
        return askAgainOrLose(tx, deps, fresh)
      }
    }
  })

/** Reading failed, or it takes long: asked again, for a day. What helps is told meanwhile where somebody can help. */
const unanswered = async (deps: RunDeps, post: PostRow, error: unknown): Promise<Step> => {
  if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
  return stillWaiting(deps, post, error instanceof SilentNetwork)
}

const stillWaiting = (deps: RunDeps, post: PostRow, isSilent = false): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => {
    const until = new Date(fresh.armed_at!.getTime() + processingHours * 3_600_000)
    if (deps.now() >= until) return { post: await move(tx, deps, fresh, 'lose', { next_at: null }), next: null }
    const next = nextLook(fresh.tried + 1, { dueAt: fresh.due_at, now: deps.now() })
    await sayUnheard(tx, fresh, next, { until, isSilent })
    return { post: await counted(tx, deps, fresh), next }
  })

/**
 * What could not be done is tried again, or told. `absent`: it was armed, and the network has said no, so nothing was posted;
 * `stay`: the state is one from which it can be done again.
 */
const failed = (deps: RunDeps, post: PostRow, error: unknown, how: 'stay' | 'absent'): Promise<Step> => {
  if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
  const refused = error instanceof RefusedByNetwork ? error : null
  const { kind, message: words } = refused ?? { kind: 'retry' as const, message: 'The network did not answer.' }
  return inRun(deps, post, async (tx, fresh) => {
    const tried = fresh.tried + 1
    const next = nextOf(deps, fresh, tried, refused)
    if (next === null) return { post: await move(tx, deps, fresh, 'fail', failure(kind, words)), next: null }
    const after = how === 'absent' ? await move(tx, deps, fresh, 'absent', { tried }) : await counted(tx, deps, fresh)
    await sayLate(tx, after, next, lateWords(kind, refused !== null), refused?.again)
    return { post: after, next }
  })
}

/** When it is tried next; null: no more. */
const nextOf = (deps: RunDeps, post: PostRow, tried: number, refused: RefusedByNetwork | null): Date | null => {
  if (refused !== null && !isAskedAgain(tried, refused)) return null
  return nextTry(tried, { dueAt: post.due_at, now: deps.now(), again: refused?.again })
}

const fail = (deps: RunDeps, post: PostRow, kind: FailureKind, words: string): Promise<Step> =>
  inRun(deps, post, async (tx, fresh) => ({
    post: await move(tx, deps, fresh, 'fail', failure(kind, words)),
    next: null,
  }))

const failure = (kind: FailureKind, words: string): PostChanges => ({
  failure: kind,
  failure_words: words,
  next_at: null,
})

const withdraw = async (tx: Tx, deps: RunDeps, post: PostRow): Promise<Step> => ({
  post: await withdrawFor(
    tx,
    systemCaller,
    post,
    {
      why: 'the approved video changed',
      reason: 'the video is approved no more, or you do not post with this account any more.',
      wayOn: 'The video’s page says how it stands. Schedule it again there when you can.',
    },
    deps.now(),
  ),
  next: null,
})

/** `file`: the very bytes that lie ready, or are sent, stand in the record, with those that they were made of. */
const move = (
  tx: Tx,
  deps: RunDeps,
  post: PostRow,
  event: PostEvent,
  changes: PostChanges = {},
  file?: PostedFile,
): Promise<PostRow> =>
  movePost(tx, systemCaller, post, event, deps.now(), changes, {
    run: post.run,
    ...(file && { sha256: file.sha256, ...(file.sha256 === post.sha256 ? {} : { madeOf: post.sha256 }) }),
  })

const counted = async (tx: Tx, deps: RunDeps, post: PostRow): Promise<PostRow> => {
  const after = { ...post, tried: post.tried + 1 }
  await savePost(tx, after, deps.now())
  return after
}

const note = async (tx: Tx, post: PostRow, deps: RunDeps, more: Handles): Promise<PostRow> => {
  if ((await addHandles(tx, post.id, post.run, more, leaseFrom(deps.now()))) === 0) throw new TakenOver()
  return { ...post, handles: { ...post.handles, ...more } }
}

const inSeconds = (deps: RunDeps, seconds: number): Date => new Date(deps.now().getTime() + seconds * 1000)

/**
 * One transaction of this run on the locked post; the project first, as everybody locks them. Throws where another run has taken it
 * over.
 */
const inRun = (deps: RunDeps, post: PostRow, work: (tx: Tx, fresh: PostRow) => Promise<Step>): Promise<Step> =>
  deps.database.asSystem(async (tx) => {
    await shareProject(tx, post.project_id)
    const fresh = await lockRun(tx, post.id, post.run)
    if (!fresh) throw new TakenOver()
    return work(tx, fresh)
  })
