import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a recogniser that takes too long is tried again',
    file: 'speech/src/transcribe.ts',
    from: "{ failed: 'broken', timeout: 'slow' }",
    to: "{ failed: 'broken' }",
    noticed: ['speech/src/transcribe.test.ts', 'a recogniser that takes too long'],
  },
]
