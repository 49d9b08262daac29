import type { Sabotage } from '../sabotage.ts'

const uploads = (test: string) => ['server/src/assets/uploads.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an upload goes on into the room that the database needs',
    file: 'server/src/outside/storage.ts',
    from: `            await requireRoom('upload', batch.length)
`,
    to: '',
    noticed: uploads('an upload stops before the kept room'),
  },
]
