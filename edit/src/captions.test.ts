import fc from 'fast-check'
import { expect, it } from 'vitest'
import { captionStyles, captionStyleValues } from '@clear-to-post/domain/captions'
import { brand, take } from '../test/take.ts'
import { coloursOf } from './caption-colours.ts'
import { captionTrack, statesWithin } from './caption-track.ts'
import { layout } from './captions.ts'
import { cardPicture } from './card.ts'
import { contrast } from './contrast.ts'
import { drawn, leftOut, pictured } from './drawn.ts'
import { bond, endsSentence } from './english.ts'
import { aspects, sizeOf, wholeRecipe, type Recipe } from './recipe.ts'
import { safeArea } from './safe-area.ts'
import { cuesOf } from './subtitles.ts'
import { segmentsOf, spokenWords, timelineOf } from './timeline.ts'

/** Every letter half as wide as it is high: near enough to weigh lines. */
const measure = (text: string) => text.length * 0.52

const said = (text: string, perWord = 300, pause = 30): Recipe => {
  const words = text.split(' ').map((one, i) => ({
    id: `w${i}`,
    source: 'a',
    text: one,
    start: 500 + i * (perWord + pause),
    end: 500 + i * (perWord + pause) + perWord,
    confidence: 1,
    origin: 'script' as const,
  }))
  const durationMs = words.at(-1)!.end + 1500
  const source = take(durationMs)
  return { ...wholeRecipe([source], brand, 5), words }
}
const pagesOf = (recipe: Recipe) => captionTrack(recipe, measure).pages
const linesOf = (recipe: Recipe) =>
  pagesOf(recipe).map(({ lines }) => lines.map((line) => line.map(({ text }) => text).join(' ')))

it('several words typed in place of one share its time, on as many caption pages as they need', () => {
  const recipe = said('so … right?', 3000)
  const own = 'I have done this for twenty years with my own two hands, friends 🏠 and it works.'
  recipe.captions = { ...recipe.captions, overrides: { w1: { text: own } } }
  const pages = pagesOf(recipe)
  const words = pages.flatMap(({ lines }) => lines.flat())
  expect(words.map(({ written }) => written).join(' ')).toBe(`so ${own} right?`)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.every(({ lines }) => lines.every((line) => line.length <= 7))).toBe(true)
  expect(new Set(words.map(({ id }) => id)).size).toBe(words.length)
  words.slice(1).forEach((word, i) => {
    expect(word.from).toBeGreaterThanOrEqual(words[i]!.to)
    expect(word.to).toBeGreaterThan(word.from)
  })
  expect(
    cuesOf(recipe)
      .map(({ lines }) => lines.join(' '))
      .join(' '),
  ).toBe(`so ${own} right?`)
})

const vocabulary =
  'rates moved again this week and I want to save four hundred thousand dollars percent 3.5 years a the house payment underwritten down, right? now. Mr. step two key message closing costs neighbors opportunity $20,000 thirty'.split(
    ' ',
  )
const recipes = fc
  .record({
    words: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 60 }),
    style: fc.constantFrom(...captionStyleValues),
    aspect: fc.constantFrom(...aspects),
    pace: fc.integer({ min: 60, max: 500 }),
    cut: fc.option(fc.tuple(fc.nat(9000), fc.integer({ min: 1, max: 3000 })), { nil: undefined }),
    tour: fc.boolean(),
  })
  .map(({ words, style, aspect, pace, cut, tour }): Recipe => {
    const recipe = said(words.join(' '), pace)
    const end = recipe.sources[0]!.durationMs
    return {
      ...recipe,
      captions: {
        ...recipe.captions,
        style,
        tour: tour
          ? {
              address: '12 Oak',
              price: '$1',
              beds: '3',
              baths: '',
              rooms: [{ id: 'r', source: 'a', start: 0, end: 900, name: 'Kitchen' }],
            }
          : null,
      },
      frame: { ...recipe.frame, aspect },
      removed: cut
        ? [
            {
              id: 'r',
              source: 'a',
              start: Math.min(cut[0], end - 2),
              end: Math.min(cut[0] + cut[1], end - 1),
              reason: 'by-hand',
              by: 'person',
              why: '',
              on: true,
            },
          ]
        : [],
      close: { on: true, lengthMs: 2000, title: 'Ada', call: 'Call' },
    }
  })

it('each spoken word is captioned once, in its sentence, together with its unit, inside the safe area', () => {
  fc.assert(
    fc.property(recipes, (recipe) => {
      const timeline = timelineOf(recipe)
      const spoken = spokenWords(recipe, timeline)
      const { pages, states, band } = captionTrack(recipe, measure)
      const all = pages.flatMap((page) => page.lines.flat())
      expect(all.map(({ id }) => id)).toEqual(spoken.map(({ word }) => word.id))
      const texts = spoken.map(({ word }) => word.text)
      const safe = safeArea(sizeOf(recipe))
      let at = 0
      let before = 0
      for (const page of pages) {
        expect(page.from).toBeGreaterThanOrEqual(before)
        expect(page.to).toBeGreaterThan(page.from)
        before = page.to
        expect(page.lines.length).toBeLessThanOrEqual(captionStyles[recipe.captions.style].lines)
        const words = page.lines.flat()
        // No sentence ends inside a page.
        for (let i = at; i < at + words.length - 1; i++) expect(endsSentence(texts[i]!, texts[i + 1])).toBe(false)
        at += words.length
        if (at < texts.length) expect(bond(texts, at - 1)).not.toBe(2)
        for (const line of page.lines) {
          expect(line.length).toBeLessThanOrEqual(7)
          expect(line[0]!.x).toBeGreaterThanOrEqual(safe.x - 0.01)
          expect(line.at(-1)!.x + line.at(-1)!.width).toBeLessThanOrEqual(safe.x + safe.width + 0.01)
          expect(line[0]!.y).toBeLessThanOrEqual(safe.y + safe.height)
        }
      }
      // States follow each other without a gap, over the whole video and over each segment.
      expect(states[0]!.from).toBe(0)
      expect(states.at(-1)!.to).toBe(timeline.frames)
      states.slice(1).forEach((state, i) => expect(state.from).toBe(states[i]!.to))
      for (const segment of segmentsOf(recipe, { longest: 90 })) {
        const within = statesWithin(states, { from: segment.at, to: segment.at + segment.frames })
        expect(within.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(segment.frames)
      }
      // Words that begin on the same frame share it; all others are lit.
      for (const word of all)
        if (word.to > word.from) expect(states.some(({ active }) => active === word.id)).toBe(true)
      const { width, height } = sizeOf(recipe)
      if (band) {
        for (const edge of Object.values(band)) expect(edge % 2).toBe(0)
        expect(band.x + band.width <= width && band.y + band.height <= height).toBe(true)
      } else expect(pages).toEqual([])
    }),
    { numRuns: 120 },
  )
})

it('caption lines break at punctuation and keep phrases together', () => {
  expect(
    linesOf(said('Hey neighbors, it’s your local loan officer. Step one, get fully underwritten before you shop.')),
  ).toMatchInlineSnapshot(`
    [
      [
        "Hey neighbors,",
      ],
      [
        "it’s your local",
        "loan officer",
      ],
      [
        "Step one, get",
        "fully underwritten",
      ],
      [
        "before you shop",
      ],
    ]
  `)
})

it('a full stop in an abbreviation or number ends no sentence', () => {
  expect(endsSentence('Mr.', 'Ray')).toBe(false)
  expect(endsSentence('U.S.', 'market')).toBe(false)
  expect(endsSentence('3.5', 'percent')).toBe(false)
  expect(endsSentence('now.”', 'Then')).toBe(true)
  expect(endsSentence('right?', 'Yes')).toBe(true)
})

it('captions follow the editor’s overrides: another text, a forced page break, no caption for a word', () => {
  const recipe = said('rates moved again this week')
  recipe.captions.overrides = { w0: { text: 'Rates' }, w2: { break: 'page' }, w4: { text: '' } }
  expect(linesOf(recipe)).toEqual([['Rates moved'], ['again this']])
})

it('emoji are rare on caption pages, and the editor’s choice replaces the automatic one', () => {
  const recipe = said(
    'the house the house the house the house the house the house the house the house the house the house',
  )
  recipe.captions.style = 3
  expect(pagesOf(recipe).filter(({ emoji }) => emoji).length).toBe(1)
  recipe.captions.emoji = { w1: '', w3: '🔑' }
  expect(pagesOf(recipe).flatMap(({ emoji }) => (emoji ? [emoji.emoji] : []))).toEqual(['🔑', '🏠'])
})

it('the highlighted word has a contrast of at least 4.5 to its background for every brand colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const { spoken, spokenText } = coloursOf(`#${value.toString(16).padStart(6, '0')}`)
      expect(contrast(spoken, spokenText)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

it('a caption state keeps its key when only its frames change, and gets a new key when its words change', () => {
  const recipe = said('rates moved again this week')
  const keys = (one: Recipe) =>
    captionTrack(one, measure)
      .states.map(({ key }) => key)
      .filter(Boolean)
  const later = { ...recipe, open: { on: true, lengthMs: 2000, title: 'A', call: '' } }
  expect(keys(later)).toEqual(keys(recipe))
  const other = structuredClone(recipe)
  other.words[0]!.text = 'Rate'
  expect(keys(other)).not.toEqual(keys(recipe))
  expect(
    layout(
      spokenWords(recipe),
      { ...recipe.captions, on: false },
      sizeOf(recipe),
      brand,
      measure,
      recipe.output.fps,
      900,
    ),
  ).toEqual([])
})

it('unknown words and emoji are not drawn as text, and a typed emoji with a picture becomes the page’s emoji', () => {
  const recipe = said('Hey … friends🏡 buy 🦄 a Condo™ 👨‍👩‍👧 now 1️⃣ ☎.')
  expect(linesOf(recipe).flat().join(' ')).toBe('Hey friends buy a Condo™ now')
  const emojis = pagesOf({ ...recipe, captions: { ...recipe.captions, style: 3 } }).map(({ emoji }) => emoji?.emoji)
  expect(emojis).toContain('🏡')
})

it('emoji in cards and lower thirds are drawn as pictures where one exists, however they were typed', () => {
  const typed = '👋🏽 Hi ❤ 🦄, 👩‍💻 1\ufe0f\u20e3!'
  const { rows, chip } = cardPicture({ title: typed, call: '📞' }, brand, sizeOf(said('a')), measure, false)
  expect(rows[0]!.pieces.map((piece) => ('emoji' in piece ? piece.emoji : piece.text))).toEqual([
    '👋',
    ' Hi ',
    '❤️',
    ', ',
    '1️⃣',
    '!',
  ])
  expect(chip!.rows[0]!.pieces).toEqual([{ emoji: '📞', at: 0 }])
  expect(leftOut(typed)).toEqual(['🦄', '👩‍💻'])
  const none = cardPicture({ title: '🦄', call: '🦄' }, brand, sizeOf(said('a')), measure, false)
  expect([none.rows[0]!.text, none.chip]).toEqual([brand.name, null])
})

const letters = 'NMLS'.repeat(20)
const link = 'https://www.harbor-lending.example.com/apply/first-time-buyers/start?officer=ada.ray&from=video'

it('no caption style shrinks text below the readable size: a word too long for a line is split', () => {
  for (const style of captionStyleValues)
    for (const aspect of aspects)
      for (const size of [0.5, 1, 2]) {
        const recipe = said(`Write to ${link} or ${letters} today.`, 900)
        recipe.captions = { ...recipe.captions, style, size, tour: null }
        recipe.frame = { ...recipe.frame, aspect }
        const frame = sizeOf(recipe)
        const safe = safeArea(frame)
        const pages = pagesOf(recipe)
        const words = pages.flatMap(({ lines }) => lines.flat())
        for (const page of pages) {
          expect(page.size).toBeGreaterThanOrEqual(Math.min(frame.width, frame.height) * 0.036 - 0.01)
          expect(page.lines.length).toBeLessThanOrEqual(captionStyles[style].lines)
          for (const line of page.lines)
            expect(line.at(-1)!.x + line.at(-1)!.width - line[0]!.x).toBeLessThanOrEqual(safe.width + 0.01)
        }
        const of = (id: string) => words.filter((word) => word.id.split('~')[0] === id)
        expect(
          of('w2')
            .map(({ text }) => text)
            .join(''),
        ).toBe(link)
        expect(
          of('w4')
            .map(({ text }) => text.replace(/-$/, ''))
            .join(''),
        ).toBe(letters)
        // Each part has its time.
        words.slice(1).forEach((word, i) => expect(word.from).toBeGreaterThanOrEqual(words[i]!.to))
      }
})

it('long texts in cards and lower thirds wrap at a readable size and stay inside the frame', () => {
  const long = (length: number) => 'Maple Grove '.repeat(20).slice(0, length).trim()
  for (const aspect of aspects) {
    const recipe = said('rates moved again', 900)
    recipe.frame = { ...recipe.frame, aspect }
    const room = { id: 'r', source: 'a', start: 0, end: 4000, name: long(60) }
    const tour = { address: long(120), price: letters.slice(0, 40), beds: '3', baths: '2', rooms: [room] }
    recipe.captions = { ...recipe.captions, style: 4, tour }
    const frame = sizeOf(recipe)
    const [safe, short] = [safeArea(frame), Math.min(frame.width, frame.height)]
    const { third, page } = shownAt(recipe, 30)
    const lines = [...third!.rows, ...third!.chip!.rows]
    for (const { size, x, width } of lines) {
      expect(size).toBeGreaterThanOrEqual(short * 0.03 - 0.01)
      expect(x + width).toBeLessThanOrEqual(safe.x + safe.width)
    }
    expect(lines.map(({ text }) => text).join(' ')).toContain('Maple Grove Maple')
    expect(page!.lines[0]![0]!.y).toBeLessThan(third!.chip!.y)
    const full = { ...brand, name: long(120), line: long(160), legal: long(240) + long(60) }
    const card = cardPicture({ title: long(80), call: long(120) }, full, frame, measure, true)
    expect(Math.max(...card.rows.map(({ y }) => y))).toBeLessThan(frame.height)
    expect(card.logo!.y).toBeGreaterThan(0)
    for (const row of [...card.rows, ...card.chip!.rows]) {
      expect(row.size).toBeGreaterThanOrEqual(short * 0.6 * 0.022 - 0.01)
      expect([row.x >= 0, row.x + row.width <= frame.width]).toEqual([true, true])
    }
  }
})

it('a card’s legal line is read on a phone and never broken inside a license; no title leaves a word alone', () => {
  const legal = 'NMLS #123456 · Harbor Home Loans NMLS #98765 · Equal Housing Lender'
  for (const aspect of aspects) {
    const recipe = { ...said('a'), frame: { aspect, focus: { x: 0.5, y: 0.5 } } }
    const frame = sizeOf(recipe)
    const card = cardPicture({ title: 'Ready when you are', call: '' }, { ...brand, legal }, frame, measure, false)
    const small = card.rows.filter(({ text }) => legal.includes(text.replaceAll('\u00a0', ' ').split(' · ')[0]!))
    expect(small.flatMap(({ text }) => text.replaceAll('\u00a0', ' ').split(' · '))).toEqual(legal.split(' · '))
    // Twelve of the 360 points that most phones are wide.
    for (const { size } of small) expect(size).toBeGreaterThan((Math.min(frame.width, frame.height) * 12) / 360)
    const title = card.rows.filter(({ text }) => 'Ready when you are'.includes(text))
    for (const { text } of title) expect(text.split(' ').length).toBeGreaterThan(1)
  }
})

it('one lower third shows at a time: that of a passage, else the Home Tour’s box, else the permanent one', () => {
  const recipe = said('rates moved again this week and I want to save', 900)
  recipe.captions.style = 4
  recipe.captions.tour = { address: '12 Oak', price: '$1', beds: '', baths: '', rooms: [] }
  const lower = (title: string, start?: number) => ({
    id: title,
    kind: 'lower-third' as const,
    on: true,
    title,
    line: '',
    span: start === undefined ? null : { source: 'a', start, end: start + 1000 },
  })
  recipe.layers = [lower('over it', 2000), lower('always'), lower('later', 2500)]
  const titles = (one: Recipe) => [30, 70, 80, 120].map((frame) => shownAt(one, frame).third?.rows[0]!.text)
  expect(titles(recipe)).toEqual(['$1', 'over it', 'later', '$1'])
  expect(titles({ ...recipe, captions: { ...recipe.captions, style: 1 } })).toEqual([
    'always',
    'over it',
    'later',
    'always',
  ])
  for (const { thirds } of captionTrack(recipe, measure).states) expect(thirds.length).toBeLessThanOrEqual(1)
})

it('captions make room for a title at the bottom on the pages that it is seen with, and on no others', () => {
  const recipe = said(
    'Rates moved again. This week they fell. Now is your moment to save. Call me today, my friends.',
    600,
  )
  const bare = pagesOf(recipe)
  expect(bare.length).toBeGreaterThan(3)
  const span = { source: 'a', start: 3000, end: 6000 }
  const title = { id: 't', kind: 'lower-third' as const, on: true, title: 'Ada Ray', line: 'Loan officer', span }
  const titled = { ...recipe, layers: [title] }
  const { pages, states } = captionTrack(titled, measure)
  const plate = states.find(({ thirds }) => thirds.length > 0)!.thirds[0]!.plate
  const heights = pages.map(({ from, to, box }, i) => {
    const isWith = from < 180 && 90 < to
    expect(box.y < bare[i]!.box.y, `page ${i}`).toBe(isWith)
    if (isWith) expect(box.y + box.height - pages[i]!.size * 0.5).toBeLessThanOrEqual(plate.y)
    return isWith
  })
  expect(new Set(heights).size).toBe(2)
  // One further up needs no room of theirs.
  const top = captionTrack({ ...titled, layers: [{ ...title, place: 'top-left' }] }, measure).pages
  expect(top.map(({ box }) => box.y)).toEqual(bare.map(({ box }) => box.y))
})

it('stickers are painted in their order as long as their passages are seen, however they lie over each other', () => {
  const recipe = said('one two three four five six seven eight')
  const last = recipe.sources[0]!.durationMs
  const times: ([number, number] | null)[] = [[1500, 3000], null, [0, 2000], [500, 1000], [900, last], [3200, 3300]]
  const look = { kind: 'sticker', name: 'tick', size: 0.2, on: true } as const
  const layers = times.map((time, i) => ({
    ...look,
    id: `s${i}`,
    at: { x: i / 10, y: 0.5 },
    span: time && { source: 'a', start: time[0], end: time[1] },
  }))
  const { states } = captionTrack({ ...recipe, layers }, measure)
  const alone = layers.map((layer) => captionTrack({ ...recipe, layers: [layer] }, measure).states)
  for (const { from, stickers } of states) {
    const expected = alone.flatMap((one) => one.find((state) => state.from <= from && from < state.to)!.stickers)
    expect(stickers).toEqual(expected)
  }
  expect(Math.max(...states.map(({ stickers }) => stickers.length))).toBe(4)
  expect(states.at(-1)!.stickers).toHaveLength(2)
})

/** What is painted at a frame. */
const shownAt = (recipe: Recipe, frame: number) => {
  const { page, thirds } = captionTrack(recipe, measure).states.find(({ from, to }) => from <= frame && frame < to)!
  return { page, third: thirds[0] }
}

it('signs before an emoji that is left out close up, however many stand in a row', () => {
  for (const many of [1, 3, 60_000]) {
    const row = '🦄'.repeat(many)
    expect(drawn(`Rates ${row} , and ${row} fees\n${row}!`)).toBe('Rates, and fees!')
    expect(drawn(`Rates${' '.repeat(many)}fees ${row} ${row} .`)).toBe('Rates fees .')
    expect(drawn(`${row} ,`)).toBe('')
    expect(pictured(`Rates${' '.repeat(many)}${row}?`)).toBe('Rates?')
  }
})
