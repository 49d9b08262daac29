import { cutText } from '@clear-to-post/domain/cut-text'
import type { Layer, Recipe, Span, TitleMotion } from '../recipe.ts'
import type { Command } from './command.ts'
import { freeId } from './command.ts'
import { withoutMissing, withPlaced, type Placed } from './layers.ts'

export type Title = Extract<Layer, { kind: 'lower-third' }>

/** Time enough to read a title, even over one short word. */
const leastMs = 3000

/** The longest texts that a title holds. */
export const titleLengths = { title: 80, line: 120 } as const

export const titlesOf = ({ layers }: Pick<Recipe, 'layers'>): Title[] =>
  layers.filter((layer) => layer.kind === 'lower-third')

/** A title over a passage, for at least as long as it takes to read it. One that stands there makes room. */
export const addTitle =
  (text: Pick<Title, 'title' | 'line' | 'motion'>, span: Span): Command =>
  (recipe) => {
    const source = recipe.sources.find(({ id }) => id === span.source)
    if (!source) return recipe
    const end = Math.min(source.durationMs, Math.max(span.end, span.start + leastMs))
    const title: Placed = {
      id: freeId('t', recipe.layers),
      kind: 'lower-third',
      title: cutText(text.title, titleLengths.title),
      line: cutText(text.line, titleLengths.line),
      span: { ...span, end },
      on: true,
      ...(text.motion && { motion: text.motion }),
    }
    return end > span.start ? withPlaced(recipe, title) : recipe
  }

/** What a title says, where it stands, and how it comes and goes (undefined: at once). */
export const setTitle =
  (
    id: string,
    part: Partial<Pick<Title, 'title' | 'line' | 'place'>> & { motion?: TitleMotion | undefined },
  ): Command =>
  (recipe) => {
    const title = titlesOf(recipe).find((one) => one.id === id)
    if (!title) return recipe
    const { motion, ...rest } = { ...title, ...part }
    const next: Title = motion ? { ...rest, motion } : rest
    return JSON.stringify(next) === JSON.stringify(title) ? recipe : withoutMissing(recipe, next)
  }
