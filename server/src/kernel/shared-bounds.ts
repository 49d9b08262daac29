/**
 * Everything that all people of the service draw from together: how much of it there is, and what one holder of networks
 * (`netsOf`) and one person can take of it. `server/test/shared-bounds.test.ts` attacks each of them from a /48 and with
 * accounts that have shown nothing, and finds no file that refuses on everybody's account and is missing here.
 */
export const sharedBounds = {
  codes: {
    files: ['identity/codes.ts', 'identity/mailbox-codes.ts', 'accounts/codes.ts'],
    total:
      'CODES_PER_HOUR (2,000); a quarter of them for confirmed addresses and callers alone; as many networks on top have guesses of their own at one that lay in the mailbox; 1,000 wrong ones an hour, beyond which a code is good where it was asked for or its owner signed in before',
    network: 'CODES_PER_NETWORK (60) an hour and 40 wrong ones, a /56 twice, a /48 or an IPv4 /24 four times that',
    person:
      '5 an hour for a mailbox, 3 more where its owner signed in before, and then one every ten minutes; 1,000 wrong ones a day, a quarter of them for whoever types five or more',
  },
  accounts: {
    files: ['accounts/actions.ts'],
    total: 'none of its own: what unconfirmed accounts hold is bounded below',
    network: 'as codes',
    person: 'one for an address',
  },
  calls: {
    files: [
      'main/app.ts',
      'kernel/network-counter.ts',
      'kernel/limits-over-hosts.ts',
      'kernel/written.ts',
      'api-keys/read-key.ts',
    ],
    total: 'none of its own: what the machine bears',
    network:
      'a call’s `perMinute`, a /56 twice, a /48 or an IPv4 /24 four times that; API keys that are none, 300 a minute',
    person: '600 writes a minute, and as many by API keys; reading as their network, by an API key 300 calls a minute',
  },
  database: {
    files: ['kernel/asker.ts', 'kernel/turns.ts'],
    total: '20 connections for calls, 200 wait for one; a statement has 30 seconds',
    network:
      'of all who have no session in a /48 or an IPv4 /24, as one person, who calls by keys that are none as another; all of them together 10 connections, and 1,000 wait',
    person: '5 connections at once, and 2 for their API keys together; 200 calls wait for each',
  },
  passwords: {
    files: [
      'kernel/fair-turns.ts',
      'identity/password.ts',
      'identity/wrong-passwords.ts',
      'identity/second-factor-tries.ts',
    ],
    total: '500 wait for their turn at a core, and a turn takes 30 ms; beyond that whoever waits for most gives one up',
    network:
      'the `perMinute` of the calls that take a password, and 60 wrong ones an hour, 240 a day, a /56 twice, a /48 or an IPv4 /24 four times that; holders and persons take turns, so that a burst keeps nobody else waiting',
    person:
      'for an address 10 tries in a quarter of an hour from one holder; 30, 100 wrong ones a day and 500 in thirty days from all where nobody has signed in to it; behind it 5 codes of an app in a quarter of an hour, and as many recovery codes from one holder',
  },
  events: {
    files: ['tracking/actions.ts'],
    total: '100 at once are written, more are left out',
    network: '300 a minute, a /56 twice, a /48 or an IPv4 /24 four times that',
    person: 'as their network',
  },
  connections: {
    files: ['http/connections.ts'],
    total: '4,000, or half of the files that the process may open',
    network: '1,500, or three eighths of all; a wider net no more. Behind a proxy as many requests under way',
    person: 'as their network',
  },
  memory: {
    files: ['http/held.ts'],
    total:
      '384 MiB of bodies and answers that wait for the other side; nobody is refused: of the holder for whom most waits the line is ended that has waited with most for longest',
    network: 'what others leave: a /48 or an IPv4 /24 is one holder',
    person: 'as their network; 60 MiB of answers begun in a minute',
  },
  streams: {
    files: ['http/live.ts'],
    total: '10,000',
    network: 'as connections, behind a proxy too',
    person: '20, and 240 opened in a minute',
  },
  kits: {
    files: ['edits/kit-line.ts'],
    total: '8 wait to be written, one at a time',
    network: '60 addresses of zips a minute',
    person: '3 of a company, or of an officer without one; whoever is handed an address has an edit',
  },
  disk: {
    files: ['assets/uploads.ts'],
    total: 'what is free beyond the kept room',
    network: 'as their people',
    person: '`uploaders`; all unconfirmed people together a tenth of what is free, with the confirmed three quarters',
  },
} as const satisfies Record<string, { files: readonly string[]; total: string; network: string; person: string }>
