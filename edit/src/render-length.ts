import { msAt } from './frames.ts'
import { kindsInOrder, layerKinds } from './layer-kinds.ts'
import { isBeyond } from './layer-room.ts'
import { clipsHeard, mostClipsHeard } from './music-heard.ts'
import { sizeOf, type Problem, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

/** What is rendered at most. A longer edit can be opened and saved, for that is how a first cut of long takes begins. */
export const longest = { videoMs: 15 * 60_000, cardMs: 30_000, picturesPerSecond: 120 } as const

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
  for (const kind of kindsInOrder) {
    const beyond = isBeyond(recipe, kind, timeline)
    if (!beyond) continue
    const { several, by, mostTimes, mostAtOnce } = layerKinds[kind]
    const there = by === 'sound' ? 'heard' : 'seen'
    problems.push({
      where: 'layers',
      text:
        beyond === 'times'
          ? `${several} would be ${there} more than ${mostTimes} times. Take some out, or give them shorter places.`
          : `${several} would be ${there} more than ${mostAtOnce} at once. Take some out, or give them other places.`,
    })
  }
  if (clipsHeard(recipe, timeline).length > mostClipsHeard)
    problems.push({
      where: 'layers',
      text: `The sound of B-roll would be heard more than ${mostClipsHeard} times. Switch it off for some.`,
    })
  return problems
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
