import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstCut } from '@clear-to-post/edit/first-cut'
import type { Recipe, Word } from '@clear-to-post/edit/recipe'
import { isOut } from '@clear-to-post/edit/removals'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { speech, type Saying } from '@clear-to-post/media/clip-speech'
import { makeClip } from '@clear-to-post/media/make-clip'
import { seeded } from '../server/test/random.ts'
import type { Hands } from './hands.ts'

/** A recording that nobody here has seen: what is said in it hangs on a seed, the mistakes in it are always of these kinds. */
export type UnseenTake = {
  file: string
  /** Its first cut, from one that was made without words. */
  recipe: (made: Recipe, logo: string) => Recipe
}

export const unseenTake = async (seed: number, folder: string): Promise<UnseenTake> => {
  const parts = saidIn(seed)
  const file = join(folder, `unseen-${seed}.mp4`)
  const drawn = { out: file, seconds: 0, width: 180, height: 320, hue: (seed * 47) % 360, seed }
  await makeClip({ ...drawn, seconds: 20, says: { speaker: 'slt', parts } })
  const own = await mkdtemp(join(tmpdir(), 'unseen-'))
  const spoken = await speech(parts, { speaker: 'slt', folder: own }).finally(() => rm(own, { recursive: true }))
  return {
    file,
    recipe: (made, logo) => {
      const source = made.sources[0]!
      const words = wordsOf(parts, spoken?.said ?? evenly(parts, source.durationMs / 1000), source.id)
      const cut = firstCut({
        sources: [source],
        words,
        silences: gapsOf(words, source),
        script: '',
        brand: { ...made.brand, logo },
        style: made.captions.style,
      })
      return { ...cut, output: { ...made.output, shortSide: 180 } }
    },
  }
}

/** One of twenty things that an editor puts right. */
export type Correction = {
  what: string
  /** One of those that `npm test` makes, too: a way of each kind, by words, times, dialogs and commands. */
  isShort?: true
  byKeyboard: (hands: Hands) => Promise<void>
  /** Of the recipe before and now. */
  isDone: (before: Recipe, now: Recipe) => boolean
}

export const corrections: readonly Correction[] = [
  {
    what: 'take out a word that the rules left',
    isShort: true,
    byKeyboard: async ({ find, key }) => {
      await find('so')
      await key('Delete')
    },
    isDone: (_, now) => areOut(now, 'So'),
  },
  {
    what: 'take out a whole sentence',
    byKeyboard: async ({ find, key }) => {
      await find('coffee')
      await key('u')
      await key('Delete')
    },
    isDone: (_, now) => areOut(now, 'My coffee is getting cold over there.'),
  },
  {
    what: 'put back a word that a rule took out',
    isShort: true,
    byKeyboard: async ({ find, key }) => {
      await find('um')
      await key('Delete')
    },
    isDone: (before, now) => areOut(before, 'um,') && !areOut(now, 'um,'),
  },
  {
    what: 'take another try of a sentence that was said twice',
    byKeyboard: async ({ find, key }) => {
      await find('answers')
      await key('v')
    },
    isDone: (_, now) => {
      const [first, second] = now.words.filter(({ text }) => text === 'answers')
      return !isOut(now, first!) && isOut(now, second!)
    },
  },
  {
    what: 'write a word of the captions otherwise',
    isShort: true,
    byKeyboard: async ({ find, key, sees, type, press }) => {
      await find('stubs')
      await key('Enter')
      await sees('[role="dialog"] input:focus')
      await type('slips')
      await press('Enter')
    },
    isDone: (_, now) => texts(now).includes('slips'),
  },
  {
    what: 'write a name otherwise wherever it is said',
    byKeyboard: async ({ key, sees, type, press }) => {
      await key('Control+h')
      await sees('[role="dialog"] input:focus')
      await type('harbour')
      await press('Tab')
      await type('Harbor')
      await press('Enter')
    },
    isDone: (_, now) => texts(now).filter((text) => text === 'Harbor').length === 3,
  },
  {
    what: 'begin a new caption at a word',
    byKeyboard: async ({ find, key }) => {
      await find('without')
      await key('p')
    },
    isDone: (_, now) => now.captions.overrides[idOf(now, 'without')]?.break === 'page',
  },
  {
    what: 'choose the next caption style',
    byKeyboard: ({ key }) => key('Shift+s'),
    isDone: (before, now) => before.captions.style !== now.captions.style,
  },
  {
    what: 'end the last passage five frames earlier',
    isShort: true,
    byKeyboard: async ({ find, key }) => {
      await find('together')
      await key('d', 3)
      await key('Shift+,')
    },
    isDone: (before, now) => timelineOf(now).frames === timelineOf(before).frames - 5,
  },
  {
    what: 'take out five words in a row',
    byKeyboard: async ({ find, key }) => {
      await find('any')
      await key('Shift+ArrowRight', 4)
      await key('Delete')
    },
    isDone: (_, now) => areOut(now, 'any cost to you today.'),
  },
  {
    what: 'cover words with B-roll',
    isShort: true,
    byKeyboard: async ({ find, key, sees, press }) => {
      await find('pay slips')
      await key('b')
      await sees('[role="dialog"] section button')
      await press('Enter')
    },
    isDone: (_, now) => now.layers.some(({ kind }) => kind === 'b-roll'),
  },
  {
    what: 'end that B-roll ten frames earlier',
    byKeyboard: async ({ key }) => {
      await key('d', 2)
      await key('Shift+,', 2)
    },
    isDone: (before, now) => {
      const length = ({ layers }: Recipe) => {
        const { span } = layers.find(({ kind }) => kind === 'b-roll')!
        return span!.end - span!.start
      }
      return Math.abs(length(before) - length(now) - 10_000 / 30) < 34
    },
  },
  {
    what: 'show name and company at the start',
    byKeyboard: async ({ key, press }) => {
      await key('Home')
      await press('Escape')
      await key('t')
      await press('Enter')
    },
    isDone: (_, now) => now.layers.some((one) => one.kind === 'lower-third' && one.title === now.brand.name),
  },
  {
    what: 'show words as a title',
    isShort: true,
    byKeyboard: async ({ find, key, press }) => {
      await find('right prog')
      await key('t')
      await press('Enter')
    },
    isDone: (_, now) => now.layers.some((one) => one.kind === 'lower-third' && one.title === 'right program'),
  },
  {
    what: 'come nearer for a sentence',
    isShort: true,
    byKeyboard: async ({ find, key }) => {
      await find('many')
      await key('z')
    },
    isDone: (before, now) => now.moves.length === before.moves.length + 1,
  },
  {
    what: 'put music under it',
    isShort: true,
    byKeyboard: async ({ command, press, sees }) => {
      await command('piece')
      await sees('#bench-music button:focus')
      await press('Enter')
      await sees('[role="listbox"] [role="option"]:focus')
      await press('ArrowDown')
      await press('Enter')
    },
    isDone: (_, now) => now.sound.music !== null,
  },
  {
    what: 'make the music 3 dB quieter',
    byKeyboard: ({ key }) => key('Shift+BracketLeft', 3),
    isDone: (before, now) => now.sound.music!.gain === before.sound.music!.gain - 3,
  },
  {
    what: 'make a quiet passage 3 dB louder',
    byKeyboard: async ({ find, key }) => {
      await find('less')
      await key('Alt+ArrowUp', 3)
    },
    isDone: (_, now) => now.keep.some(({ gain }) => gain === 3),
  },
  {
    what: 'show the logo',
    byKeyboard: ({ command }) => command('add the l'),
    isDone: (_, now) => now.layers.some(({ kind }) => kind === 'logo'),
  },
  {
    what: 'leave the silences in',
    isShort: true,
    byKeyboard: ({ command }) => command('all sil'),
    isDone: (before, now) => silences(before).some(({ on }) => on) && silences(now).every(({ on }) => !on),
  },
]

/** Texts and, between them, pauses in seconds. */
const saidIn = (seed: number): Saying[] => {
  const random = seeded(seed)
  const name = random.one(['Maya', 'Omar', 'Nina', 'Peter'])
  const town = random.one(['Oakdale', 'Fairview', 'Milbrook', 'Riverton'])
  const percent = random.one(['twenty', 'ten', 'five'])
  const days = random.one(['thirty', 'forty', 'sixty'])
  const pause = (from: number, to: number) => random.whole(from, to) / 10
  return [
    pause(7, 12),
    `Hello I am ${name} from Harbour Lending.`,
    pause(4, 6),
    `Most buyers in ${town} think they need`,
    pause(8, 12),
    `Most buyers in ${town} think they need ${percent} percent down.`,
    pause(4, 6),
    'So the truth is, um, many programs ask for less.',
    pause(12, 20),
    'My coffee is getting cold over there.',
    pause(4, 6),
    `You can lock your rate for ${days} days without any cost to you today.`,
    pause(4, 6),
    'Bring your last two pay stubs and one bank statement.',
    pause(5, 7),
    'Harbour Lending answers within one day.',
    pause(5, 7),
    'Harbour Lending answers within one day.',
    pause(5, 7),
    'Send me a message and we find the right program together.',
    pause(7, 12),
  ]
}

type Times = readonly (readonly [from: number, to: number])[]

/** The words of each text share its time by their letters. */
const wordsOf = (parts: readonly Saying[], said: Times, source: string): Word[] => {
  const words: Word[] = []
  for (const [i, text] of parts.filter((one) => typeof one === 'string').entries()) {
    const [from, to] = said[i]!
    const all = text.split(' ')
    const letters = all.reduce((sum, word) => sum + word.length + 1, 0)
    let at = from
    for (const word of all) {
      const length = ((to - from) * (word.length + 1)) / letters
      const times = { start: Math.round(at * 1000), end: Math.round((at + length * 0.9) * 1000) }
      words.push({ id: `w${words.length}`, source, ...times, text: word, confidence: 0.95, origin: 'heard' })
      at += length
    }
  }
  return words
}

/** Where this ffmpeg has no voice the take murmurs, and its texts share its time. */
const evenly = (parts: readonly Saying[], seconds: number): Times => {
  const count = parts.filter((one) => typeof one === 'string').length
  return Array.from({ length: count }, (_, i) => [(i + 0.15) * (seconds / count), (i + 0.8) * (seconds / count)])
}

const gapsOf = (words: readonly Word[], { id, durationMs }: Recipe['sources'][number]) =>
  [...words, null]
    .map((word, i) => ({ source: id, start: words[i - 1]?.end ?? 0, end: word?.start ?? durationMs }))
    .filter(({ start, end }) => end - start > 200)

const areOut = (recipe: Recipe, text: string): boolean => {
  const wanted = text.split(' ')
  const at = recipe.words.findIndex((_, i) => wanted.every((one, j) => recipe.words[i + j]?.text === one))
  return at >= 0 && wanted.every((_, j) => isOut(recipe, recipe.words[at + j]!))
}

const texts = ({ words, captions }: Recipe): string[] =>
  words.map(({ id, text }) => captions.overrides[id]?.text ?? text)

const idOf = ({ words }: Recipe, text: string): string => words.find((word) => word.text === text)!.id

const silences = ({ removed }: Recipe) => removed.filter(({ reason }) => reason === 'silence')
