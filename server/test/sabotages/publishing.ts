import type { Sabotage } from '../sabotage.ts'

const stops = ['server/src/publishing/calls.test.ts', 'stop every post before it is out'] as const
const once = ['server/src/publishing/publishing.test.ts', 'exactly once'] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'the bytes of a post are not compared once more at its moment',
    file: 'server/src/publishing/run.ts',
    from: 'const ready = await approvedWorkOf(deps, post).catch(',
    to: 'const ready = await workOf(deps, post).catch(',
    noticed: stops,
  },
  {
    what: 'a post goes out although its approval was taken back',
    file: 'server/src/publishing/run.ts',
    from: "if (!(await isStillApproved(tx, fresh))) return withdraw(tx, deps, fresh)\n    return { post: await move(tx, deps, fresh, 'arm'",
    to: "return { post: await move(tx, deps, fresh, 'arm'",
    noticed: stops,
  },
  {
    what: 'a network that said nothing is not asked what it did',
    file: 'server/src/publishing/run.ts',
    from: '    if (error instanceof SilentNetwork || error instanceof TakenBack)\n      return { post: armed.post, next: inSeconds(deps, settleSeconds) }\n',
    to: '',
    noticed: once,
  },
  {
    what: 'a post that was taken back while it may have been out is sent again',
    file: 'server/src/publishing/store.ts',
    from: '  post.recalled_at === null &&\n',
    to: '',
    noticed: ['server/src/publishing/calls.test.ts', 'is not sent again'],
  },
  {
    what: 'asking a network by sending once more needs no approval',
    file: 'server/src/publishing/run.ts',
    from: 'if (network.adapter.findSends) {',
    to: 'if (network.adapter.findSends && post.tried < 0) {',
    noticed: ['server/src/publishing/calls.test.ts', 'is not sent again'],
  },
  {
    what: 'a restored copy posts what is due later',
    file: 'server/src/publishing/store.ts',
    from: "where p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing') order by p.id for update",
    to: "where p.state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing') and p.due_at <= now() order by p.id for update",
    noticed: ['server/src/publishing/calls.test.ts', 'a restored copy posts nothing by itself'],
  },
  {
    what: 'the last part of a video goes out although its approval was taken back before it',
    file: 'server/src/publishing/run.ts',
    from: 'network.adapter.publishAsksMore ? whileApproved(deps, armed.post, work) : work',
    to: 'work',
    noticed: ['server/src/publishing/calls.test.ts', 'gets no further one'],
  },
  {
    what: 'what is posted again does not keep a second schedule out',
    file: 'server/src/publishing/actions.ts',
    from: '    await requireNoneOpen(tx, projectId, connection)\n',
    to: '',
    noticed: ['server/src/publishing/calls.test.ts', 'stands once on its way'],
  },
]
