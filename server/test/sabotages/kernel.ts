import type { Sabotage } from '../sabotage.ts'

const sharedBound = ['server/test/shared-bounds.test.ts', 'leave everybody their part of'] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a page of another site posts to the stand-ins',
    file: 'server/src/kernel/network.ts',
    from: 'changes && isStandIn(request) && !isOurPage(request, publicUrl)',
    to: 'changes && isStandIn(request) && publicUrl === request.url',
    noticed: ['server/src/kernel/network.test.ts', 'refuses posts to the stand-ins from pages of other sites'],
  },
  {
    what: 'a service on every interface is a local one',
    file: 'server/src/kernel/config.ts',
    from: ' || !isLoopback(config.host)',
    to: '',
    noticed: ['server/src/kernel/config.test.ts', 'stand-ins are offered only'],
  },
  {
    what: 'who was moved to another company reads the old one’s notices',
    file: 'server/src/kernel/notice-reach.ts',
    from: '(r.tenant_id is null or r.tenant_id = p.tenant_id)',
    to: 'true',
    noticed: ['server/src/notifications/notify.test.ts', 'a reviewer of another company now reads nothing more'],
  },
  {
    what: 'a render that kills its worker is begun again and again',
    file: 'server/src/kernel/attempt.ts',
    from: 'if (attempt.crashes >= mostCrashes) {',
    to: 'if (attempt.crashes >= 1000) {',
    noticed: ['server/src/edits/render.test.ts', 'a render that kills its worker twice is given up'],
  },
  {
    what: 'each /64 of a /48 is a holder of its own',
    file: 'server/src/kernel/network.ts',
    from: '{ net: `${network.slice(0, 14)}/48`, times: 4 }',
    to: '{ net: `${network}/48`, times: 4 }',
    noticed: sharedBound,
  },
  {
    what: 'a file does not wait for its turn',
    file: 'server/src/kernel/enqueue-in-turn.ts',
    from: 'priority: top - place }',
    to: 'priority: top }',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'files that come later wait'],
  },
  {
    what: 'a person may write at full speed the whole day',
    file: 'server/src/kernel/written.ts',
    from: 'if (today.current > writesPerDay)',
    to: 'if (today.current < 0)',
    noticed: ['server/src/kernel/written.test.ts', 'a person writes 30,000 times'],
  },
  {
    what: 'what is rendered ahead goes on beside a render that somebody waits for',
    file: 'server/src/kernel/fair-lock.ts',
    from: '    idleRun?.stop.abort(new Preempted())\n',
    to: '',
    noticed: ['server/src/kernel/fair-lock.test.ts', 'work for idle times'],
  },
  {
    what: 'payment pages are asked for without a bound',
    file: 'server/src/kernel/written.ts',
    from: 'if (caller && shape.asksOutside) countOutside(caller.id)',
    to: '',
    noticed: ['server/src/kernel/written.test.ts', 'a person asks services outside 20 times'],
  },
  {
    what: 'strangers send bodies as large as people who are signed in',
    file: 'server/src/kernel/call.ts',
    from: "bodyLimit: shape.access === 'anyone' ? strangersBytes : peoplesBytes,",
    to: 'bodyLimit: peoplesBytes,',
    noticed: ['server/src/http/json-body.test.ts', 'body is read for an address that is nowhere'],
  },
  {
    what: 'a person reads without a bound',
    file: 'server/src/kernel/call.ts',
    from: 'if (caller) options.requireReadable(caller)',
    to: '',
    noticed: ['server/src/kernel/answered.test.ts', 'all that a person reads by calls counts'],
  },
  {
    what: 'one person may hold every connection of the database',
    file: 'server/src/kernel/turns.ts',
    from: 'if (own.running < ownConnections) own.running++',
    to: 'if (own.running < 1000) own.running++',
    noticed: ['server/src/kernel/turns.test.ts', 'one person has a few calls running'],
  },
  {
    what: 'a key makes calls beyond its scopes',
    file: 'server/src/kernel/key.ts',
    from: 'if (scope === null || !scopes.includes(scope))',
    to: 'if (scope === null)',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a key writes within its scopes alone'],
  },
]
