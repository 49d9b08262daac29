import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import type { KitSource } from '../src/edits/kit-texts.ts'

/** Six chunks of a second and a card of three: enough to be killed in the middle of. Another shift (ms) shares no chunk. */
export const manyChunks =
  (shift: number) =>
  (recipe: Recipe): Recipe => ({
    ...recipe,
    removed: [],
    moves: [],
    keep: Array.from({ length: 6 }, (_, i) => ({
      id: `k${i}`,
      source: 's1',
      start: i * 500 + shift,
      end: i * 500 + shift + 1000,
    })),
  })

/** What a kit of so many words is written from; some thousand of them take a second. */
export const longKit = (words: number): KitSource => {
  const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'An officer', line: '', legal: '' }
  const source = {
    id: 's1',
    assetId: '00000000-0000-4000-8000-000000000001',
    name: 'video.mp4',
    durationMs: 600_000,
    width: 1080,
    height: 1920,
    fps: { num: 30, den: 1 },
    hasSound: true,
  }
  const recipe: Recipe = {
    ...wholeRecipe([source], brand),
    words: Array.from({ length: words }, (_, i) => ({
      id: `w${i}`,
      source: 's1',
      start: i * 70,
      end: i * 70 + 60,
      text: 'a',
      confidence: 1,
      origin: 'typed' as const,
    })),
  }
  return { recipe: JSON.stringify(recipe), title: 'Long', jobCode: 'CTP', script: 'Words' }
}
