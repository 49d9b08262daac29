import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a recogniser that takes too long is tried again',
    file: 'speech/src/transcribe.ts',
    from: "{ failed: 'broken', timeout: 'slow' }",
    to: "{ failed: 'broken' }",
    noticed: ['speech/src/transcribe.test.ts', 'a recogniser that takes too long'],
  },
  {
    what: 'the service’s own thread goes through a whole recording at once',
    file: 'speech/src/rest.ts',
    from: 'const piece = 160_000',
    to: 'const piece = 160_000_000',
    noticed: ['speech/src/rest.test.ts', 'others have their turn after each ten seconds of it'],
  },
  {
    what: 'the onsets of all words are sharpened in one go',
    file: 'speech/src/sharpened.ts',
    from: '    await othersTurn()\n',
    to: '',
    noticed: ['speech/src/rest.test.ts', 'others have their turn after each word'],
  },
  {
    what: 'a script is laid beside what was heard in one go',
    file: 'speech/src/correct.ts',
    from: '    before = row\n    await othersTurn()\n',
    to: '    before = row\n',
    noticed: ['speech/src/rest.test.ts', 'while a script is laid beside what was heard'],
  },
  {
    what: 'what is heard beside the script is copied for each further sound of it',
    file: 'speech/src/reading/stretches.ts',
    from: 'before === growing ? before : {',
    to: 'before === undefined ? before : {',
    noticed: ['speech/src/reading/growth.test.ts', 'a recording of twice the length is twice the work to read'],
  },
  {
    what: 'what has a sign beside its figure is read as a word without letters',
    file: 'speech/src/script.ts',
    from: 'return pieces[0] === bare ? wordly(bare) : pieces.flatMap((piece) => spoken(piece))',
    to: "return [[[bare.replace(/[^\\p{L}']/gu, '')]]]",
    noticed: ['speech/src/any-script.test.ts', 'each unit of any script has readings'],
  },
  {
    what: 'a glossary that says a dash gives a word no sound',
    file: 'speech/src/pronounce.ts',
    from: '    .filter(Boolean)\n\n/** Longer figures',
    to: '\n/** Longer figures',
    noticed: ['speech/src/pronounce.test.ts', 'a glossary that says only signs'],
  },
  {
    what: 'what was heard as a hum is one, also where the script has it',
    file: 'speech/src/correct.ts',
    from: "{ text: written[w]!.text, origin: 'script' }",
    to: "{ text: written[w]!.text, origin: 'script', ...hummed(one) }",
    noticed: ['speech/src/said-twice.test.ts', 'a name that is written like a hum stays'],
  },
]
