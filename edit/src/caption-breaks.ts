import { emojiWidth, space, type CaptionLook } from './caption-look.ts'
import type { Token } from './caption-words.ts'
import { plain } from './emoji.ts'
import { compounds, joining, little } from './english.ts'
import type { Fps } from './frames.ts'

type Group = { from: number; to: number; split: number | null; scale: number }

/** The cheapest way to divide the words into pages. */
export const pageGroups = (tokens: Token[], look: CaptionLook, fps: Fps): Group[] => {
  const best: { cost: number; group: Group | null }[] = [{ cost: 0, group: null }]
  for (let to = 1; to <= tokens.length; to++) {
    let winner: { cost: number; group: Group | null } = { cost: Infinity, group: null }
    for (let from = to - 1; from >= 0 && to - from <= 14; from--) {
      // A sentence, a pause or the editor's own break ends a page.
      if (from < to - 1 && (tokens[from]!.end || tokens[from + 1]!.break === 'page')) break
      const fit = fitOf(tokens, from, to, look)
      if (!fit && to - from > 1) break
      const page = {
        from,
        to,
        split: fit?.split ?? null,
        scale: fit?.scale ?? Math.min(look.least, look.width / (widthOf(tokens.slice(from, to)) * look.size)),
      }
      const cost = best[from]!.cost + (fit?.cost ?? 0) + pageCost(tokens, from, to, look, fps)
      if (cost < winner.cost) winner = { cost, group: page }
    }
    best.push(winner)
  }
  const found: Group[] = []
  for (let at = tokens.length; at > 0; at = found[0]!.from) found.unshift(best[at]!.group!)
  return found
}

/** How words fit into a page's lines, smaller by a little if they must; null when they do not. */
const fitOf = (
  tokens: Token[],
  from: number,
  to: number,
  look: CaptionLook,
): { split: number | null; scale: number; cost: number } | null => {
  const width = (a: number, b: number) => widthOf(tokens.slice(a, b)) * look.size
  const forced = tokens.slice(from + 1, to).findIndex((token) => token.break === 'line')
  for (const scale of [1, 0.9, 0.8]) {
    if (scale < look.least - 0.001 && scale < 1) break
    const room = look.width / scale
    const shrink = (1 - scale) * 60
    if (width(from, to) <= room && to - from <= 7 && (forced < 0 || look.lines === 1)) {
      const fill = Math.min(1, width(from, to) / room)
      return { split: null, scale, cost: shrink + (look.lines === 2 ? 6 : 14) * (1 - fill) ** 2 }
    }
    if (look.lines === 1) continue
    let best: { split: number; scale: number; cost: number } | null = null
    for (let split = from + 1; split < to; split++) {
      if (forced >= 0 && split !== from + 1 + forced) continue
      if (split - from > 7 || to - split > 7) continue
      const [first, second] = [width(from, split), width(split, to)]
      if (first > room || second > room) continue
      const lonely = (split - from === 1 ? 4 : 0) + (to - split === 1 ? 4 : 0)
      const cost =
        shrink +
        6 * ((first - second) / room) ** 2 +
        4 * (1 - (first + second) / (2 * room)) ** 2 +
        lonely +
        breakCost(tokens, split) * 0.6
      if (!best || cost < best.cost) best = { split, scale, cost }
    }
    if (best) return best
  }
  return null
}

/** Of a line of words with its emoji, em. */
const widthOf = (line: readonly Token[]): number =>
  line.reduce(
    (sum, { width }) => sum + width,
    (line.length - 1) * space + (line.some(({ emoji }) => emoji) ? emojiWidth : 0),
  )

const pageCost = (tokens: Token[], from: number, to: number, look: CaptionLook, fps: Fps): number => {
  const sentence = (from === 0 || tokens[from - 1]!.end) && tokens[to - 1]!.end
  const lonely = to - from === 1 && !sentence ? 9 : 0
  const seconds = ((tokens[to]?.from ?? tokens[to - 1]!.to) - tokens[from]!.from) / (fps.num / fps.den)
  const short = Math.max(0, 0.8 - seconds) * 8
  return 4 + lonely + short + (tokens[to - 1]!.end ? 0 : breakCost(tokens, to)) * (look.lines === 2 ? 1.2 : 1)
}

/** What it costs to part the words before and after a place. */
const breakCost = (tokens: Token[], at: number): number => {
  const [last, next] = [tokens[at - 1]!, tokens[at]]
  if (!next || next.break) return 0
  const name = compounds.has(`${plain(last.raw)} ${plain(next.raw)}`)
  const cost = last.bond === 2 ? 300 : last.bond === 1 ? 40 : name ? 9 : 0
  if (/[,;:]$/.test(last.raw)) return cost - 6
  return cost + (little.has(plain(last.raw)) ? 5 : 0) - (joining.has(plain(next.raw)) ? 2 : 0)
}
