import type { Sabotage } from '../sabotage.ts'

const sharedBound = ['server/test/shared-bounds.test.ts', 'leave everybody their part of'] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a list of one company hears of every company’s videos',
    file: 'server/src/http/live-audience.ts',
    from: 'this.#lists.place(servesAll(caller) ? null : caller.tenantId)',
    to: 'this.#lists.place(null)',
    noticed: ['server/src/http/live-interest.test.ts', 'a list of one company hears of no other company’s changes'],
  },
  {
    what: 'a network holds every live stream behind a proxy',
    file: 'server/src/http/live.ts',
    from: 'new NetworkPlaces({ most: perNetwork, total })',
    to: 'new NetworkPlaces({ most: total * perNetwork, total })',
    noticed: sharedBound,
  },
  {
    what: 'the address of a kit shows what was saved since to who was moved away',
    file: 'server/src/http/media.ts',
    from: 'if (!(await mayFetch(database, kind, projectId, reader))) throw',
    to: 'if (reader === undefined) throw',
    noticed: ['server/src/http/media.test.ts', 'the address of a zip or kit'],
  },
  {
    what: 'a zip’s files are opened for who asks for its length alone',
    file: 'server/src/http/media.ts',
    from: 'reading.promise.then(begin).then(',
    to: 'begin().then(',
    noticed: ['server/src/http/media.test.ts', 'the length of a zip'],
  },
  {
    what: 'a log shows the secret of an address that is spelt otherwise',
    file: 'server/src/http/logged-address.ts',
    from: `  if (route && holdsSecret(route)) return route.replace(secretParam, '…')
`,
    to: '',
    noticed: ['server/test/addresses.test.ts', 'no spelling of an address'],
  },
  {
    what: 'uploads are begun without a bound',
    file: 'server/src/http/uploads.ts',
    from: "await requireWritable({ method: 'POST', base: '/api' }, request.caller!, uploadWeight * writeBytes)",
    to: '',
    noticed: ['server/src/assets/uploads.test.ts', 'counts among what a person writes'],
  },
  {
    what: 'control characters are kept',
    file: 'server/src/http/json-body.ts',
    from: 'if (controls.test(text))',
    to: 'if (false)',
    noticed: ['server/src/http/json-body.test.ts', 'control characters and halves are refused'],
  },
  {
    what: 'half of a character goes to the database',
    file: 'server/src/http/json-body.ts',
    from: 'if (!half.test(text)) return false',
    to: 'if (half.test(text)) return false',
    noticed: ['server/src/http/json-body.test.ts', 'halves are refused'],
  },
  {
    what: 'an object of a body holds any number of fields',
    file: 'server/src/http/json-body.ts',
    from: 'if (shape.fields > mostFields)',
    to: 'if (shape.fields > mostFields * 1000)',
    noticed: ['server/src/http/json-body.test.ts', 'a thousand fields'],
  },
  {
    what: 'the line of a request is asked for after Node has taken it away',
    file: 'server/src/http/timeouts.ts',
    from: 'if (socket.destroyed || (reply',
    to: 'if (request.raw.socket.destroyed || (reply',
    noticed: ['server/test/cut-lines.test.ts', 'requests that are cut'],
  },
  {
    what: 'an upload goes on after its key was revoked or its person shut out',
    file: 'server/src/http/uploads.ts',
    from: "if (!/^CT40[12]$/.test(error?.code ?? '')) return",
    to: 'if (error) return',
    noticed: ['server/src/http/uploads.test.ts', 'stops in the middle'],
  },
  {
    what: 'a service that stops cuts an answer in the middle on a slow machine',
    file: 'server/src/http/protocol.ts',
    from: '!last.response.headersSent || performance.now() - (begunAt.get(last.response) ?? 0) < patienceMs',
    to: '!last.response.headersSent',
    noticed: ['server/src/http/protocol.test.ts', 'comes whole'],
  },
  {
    what: 'news of a kind that a release does not know makes its pages read again',
    file: 'server/src/http/live-audience.ts',
    from: 'if (!Object.hasOwn(liveEvents, type)) return undefined',
    to: "if (!Object.hasOwn(liveEvents, type)) return { name: 'again', data: {} }",
    noticed: ['server/src/http/live.test.ts', 'does not know is passed over'],
  },
  {
    what: 'a stream hears of the projects that it watches, whoever’s they are',
    file: 'server/src/http/live-audience.ts',
    from: 'one.caller.id !== rest.userId && concerns(one.caller, rest.tenantId ?? null, name)',
    to: 'one.caller.id !== rest.userId',
    noticed: ['server/src/http/live-audience.test.ts', 'reaches whom it concerns'],
  },
  {
    what: 'whoever comes back is told of what concerns others',
    file: 'server/src/http/live-audience.ts',
    from: '(isOwn(name, data) || !concerns(caller, tenantId, name))',
    to: 'isOwn(name, data)',
    noticed: ['server/src/http/live-audience.test.ts', 'reaches whom it concerns'],
  },
  {
    what: 'whoever comes back makes the service read everything once more that others were told',
    file: 'server/src/http/live-audience.ts',
    from: 'this.#remember({ at: performance.now(), name, data,',
    to: 'this.#remember({ at: performance.now(), name, get data() { const { type, ...again } = told; return eventOf(type as Name, again)!.data },',
    noticed: ['server/src/http/live-audience.test.ts', 'reads nothing anew that was told to others'],
  },
]
