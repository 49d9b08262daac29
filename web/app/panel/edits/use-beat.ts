import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Beat } from '@clear-to-post/edit/beats'
import { endOnBeat } from '@clear-to-post/edit/commands/ending'
import { beatIn, beatOf, measuredOf } from '../../ui/player-peaks.ts'
import type { Workbench } from './use-bench.ts'
import { soundWords } from './words/sound.ts'

/** The beat of the music, as it is shown: undefined while nobody knows it, null where there is none. */
export const useBeat = (bench: Workbench, song: Asset | undefined) => {
  const { data: found } = useQuery(beatOf(song?.assetId ?? '', song?.peaksUrl))
  return { found, set: (on: boolean) => setOnBeat(bench, on ? (found ?? null) : null, on) }
}

/** The same by its name: the beat is looked for when it is asked for. */
export const useBeatToggle = (bench: Workbench, song: Asset | undefined) => {
  const client = useQueryClient()
  return async () => {
    const { music } = bench.recipe.sound
    if (!music || !song?.peaksUrl) return void toast.info(soundWords.noMusicYet)
    if (music.beat) return setOnBeat(bench, null, false)
    const measured = await client.fetchQuery(measuredOf(song.assetId, song.peaksUrl)).catch(() => null)
    setOnBeat(bench, measured && beatIn(measured), true)
  }
}

const setOnBeat = ({ recipe, change, mayWrite }: Workbench, beat: Beat | null, on: boolean): void => {
  if (!mayWrite || !recipe.sound.music) return
  if (on && !beat) return void toast.info(soundWords.noBeat)
  change(on ? soundWords.did.onBeat : soundWords.did.offBeat, endOnBeat(on ? beat : null))
}
