import { captionStyleValues, type CaptionStyle } from '@clear-to-post/domain/captions'
import type { CaptionState, CaptionTrack } from '../src/caption-track.ts'
import { addTitle } from '../src/commands/titles.ts'
import { aspects, titleMotions, wholeRecipe, type Recipe } from '../src/recipe.ts'
import { take } from './take.ts'

/** Each caption style in each shape of frame, in colours that are hard and easy: what is pinned and compared. */
export const scenes = (shortSide = 1080): { name: string; recipe: Recipe }[] =>
  captionStyleValues
    .toSorted((one, other) => one - other)
    .flatMap((style) =>
      aspects.map((aspect) => {
        const words = text.split(' ').map((one, w) => ({
          id: `w${w}`,
          source: 'a',
          text: one,
          start: 200 + w * 400,
          end: 560 + w * 400,
          confidence: 1,
          origin: 'script' as const,
        }))
        const durationMs = words.at(-1)!.end + 800
        const source = take(durationMs)
        const whole = wholeRecipe([source], { ...brand, primary: colours[style] }, style)
        const room = { id: 'r', source: 'a', start: 0, end: durationMs, name: 'Kitchen 🍳' }
        const tour = {
          address: '1428 Maple Grove Lane, Austin, TX',
          price: '$485,000',
          beds: '3',
          baths: '2.5',
          rooms: [room],
        }
        return {
          name: `style ${style}, ${aspect}`,
          recipe: {
            ...whole,
            words,
            captions: { ...whole.captions, tour },
            frame: { ...whole.frame, aspect },
            output: { ...whole.output, shortSide },
          },
        }
      }),
    )

/** A title halfway on its way, in each motion. */
export const titlesOnTheirWay = (): { name: string; recipe: Recipe }[] =>
  titleMotions.map((motion) => {
    const whole = wholeRecipe([take(4000)], { ...brand, primary: colours[3] }, 1)
    const text = { title: 'Ada Ray 🔑', line: 'Loan officer, Maple Grove', motion }
    return { name: motion, recipe: addTitle(text, { source: 'a', start: 0, end: 4000 })(whole) }
  })

/** Its third frame. */
export const onItsWay = ({ states }: CaptionTrack): CaptionState => states[2]!

/** The state to look at: a page with an emoji where the style has them, its second word spoken. */
export const sceneState = ({ states }: CaptionTrack): CaptionState => {
  const shown = states.filter(({ page }) => page)
  const pages = shown.filter(({ page }) => page!.emoji)
  const { page } = (pages.length ? pages : shown)[Math.floor((pages.length ? pages : shown).length / 2)]!
  const word = page!.lines.flat()[1] ?? page!.lines[0]![0]!
  return shown.find((state) => state.page === page && state.active === word.id)!
}

const text =
  'Step two, ask about a buydown. The seller can pay three percent of your closing costs, naïve façade. Send me a message.'
const colours: Record<CaptionStyle, string> = { 1: '#1d3a6e', 2: '#f2c230', 3: '#0f6b4f', 4: '#c8371b', 5: '#ffffff' }
const brand = { primary: '', secondary: '#ff5a3c', logo: null, name: 'Ada Ray', line: 'Loan officer', legal: 'NMLS #1' }

/** A card with emoji in its texts, one on two lines. */
export const closing = {
  card: { title: '🎉 Just sold in Maple Grove 🏡', call: '👇 Send me a message' },
  brand: { ...brand, primary: '#0f6b4f', name: 'Ada Ray 🔑' },
  frame: { width: 1080, height: 1920 },
}
