import { clips } from '@clear-to-post/contract/clips'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { page } from '../kernel/page.ts'
import { addClip, changeClip } from './actions.ts'
import { presentClips } from './present.ts'
import { clipFields, clipsSelect, findClip } from './store.ts'

export const clipsCalls: Mounted[] = [
  onRead(clips.list, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, clips.list.page, clipFields, query, (parts) =>
      clipsSelect(caller, parts),
    )
    return { items: await presentClips(tx, caller, rows, now), nextCursor }
  }),
  on(clips.add, async ({ body }, { tx, caller, now }) => {
    const row = (await findClip(tx, caller, await addClip(tx, caller, body, now)))!
    return (await presentClips(tx, caller, [row], now))[0]!
  }),
  on(clips.change, async ({ params: { clipId }, body }, { tx, caller, now }) => {
    await changeClip(tx, caller, clipId, body, now)
    return (await presentClips(tx, caller, [(await findClip(tx, caller, clipId))!], now))[0]!
  }),
]
