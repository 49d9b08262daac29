import type { Sabotage } from '../sabotage.ts'

const uploads = (test: string) => ['server/src/assets/uploads.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an upload goes on into the room that the database needs',
    file: 'server/src/outside/disk-storage.ts',
    from: `            await requireRoom('upload', batch.length)
`,
    to: '',
    noticed: uploads('an upload stops before the kept room'),
  },
  {
    what: 'a server error with a code of the network’s own is taken for a refusal',
    file: 'server/src/outside/networks/adapter.ts',
    from: 'if (answer.status >= 500 || answer.status === 408)',
    to: 'if (kind === null && answer.status >= 500)',
    noticed: ['server/src/outside/networks/adapter.test.ts', 'is silence'],
  },
]
