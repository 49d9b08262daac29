import { msAt } from './frames.ts'
import { sizeOf, type Problem, type Recipe } from './recipe.ts'
import { timelineOf, windowsOf, type Timeline } from './timeline.ts'

/** What is rendered at most. A longer edit can be opened and saved, for that is how a first cut of long takes begins. */
export const longest = { videoMs: 15 * 60_000, cardMs: 30_000, picturesPerSecond: 120 } as const
/** How often layers that are heard are heard: each time is a branch of the sound's filters. */
export const mostHeard = { music: 100, sound: 300 } as const

/** What is too long, or too much, to be rendered: the place, and what to do. */
export const lengthProblems = (recipe: Recipe): Problem[] => {
  const problems: Problem[] = []
  for (const card of ['open', 'close'] as const)
    if (recipe[card]?.on && recipe[card].lengthMs > longest.cardMs)
      problems.push({
        where: card,
        text: `The ${card === 'open' ? 'opening' : 'closing'} card stands ${spoken(recipe[card].lengthMs)}. A card may stand ${spoken(longest.cardMs)} at most: shorten it.`,
      })
  const { fps } = recipe.output
  if (fps.num / fps.den > longest.picturesPerSecond)
    problems.push({
      where: 'output',
      text: `The video would have more than ${longest.picturesPerSecond} pictures a second. Choose a lower rate.`,
    })
  const timeline = timelineOf(recipe)
  const videoMs = msAt(timeline.frames, fps)
  if (videoMs > longest.videoMs)
    problems.push({
      where: 'keep',
      text: `The finished video would be ${spoken(videoMs)} long. ${spoken(longest.videoMs)} is the most: cut more out before you render.`,
    })
  for (const kind of ['music', 'sound'] as const)
    if (timesHeard(recipe, timeline, kind) > mostHeard[kind])
      problems.push({
        where: 'layers',
        text: `${kind === 'music' ? 'Pieces of music' : 'Sound effects'} would be heard more than ${mostHeard[kind]} times. Take some out, or give them shorter places.`,
      })
  return problems
}

/** How often the layers of a kind are heard; counts no further than past the most. */
const timesHeard = (recipe: Recipe, timeline: Timeline, kind: keyof typeof mostHeard): number => {
  let times = 0
  for (const { kind: own, on, span } of recipe.layers) {
    if (times > mostHeard[kind]) break
    if (own === kind && on) times += span ? windowsOf(timeline, span).length : 1
  }
  return times
}

/** How long a render of this recipe may take on the clock on the wall, ms: ten minutes, and twenty times its length in 1080p. */
export const mostRenderingMs = (recipe: Recipe): number => {
  const { width, height } = sizeOf(recipe)
  const size = Math.max(1, (width * height) / (1920 * 1080))
  return 10 * 60_000 + 20 * size * msAt(timelineOf(recipe).frames, recipe.output.fps)
}

const spoken = (ms: number): string => {
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.round((ms % 60_000) / 1000)]
  const said = [minutes && `${minutes} min`, seconds && `${seconds} s`].filter(Boolean)
  return said.join(' ') || '0 s'
}
