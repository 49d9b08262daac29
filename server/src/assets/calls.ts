import { assets } from '@clear-to-post/contract/assets'
import { refusal } from '@clear-to-post/contract/errors'
import { on, onOpen, onRead } from '../kernel/call.ts'
import { discardAsset } from './discard.ts'
import { sendParts } from './parts.ts'
import { presentAsset } from './present.ts'
import { findAsset, keepLog, tellPrompter, unusedOf } from './store.ts'

export const assetsCalls = [
  onRead(assets.find, async ({ params }, { tx, now }) => {
    const row = await findAsset(tx, params.assetId)
    if (!row) throw refusal('asset.not-found')
    return presentAsset(row, now)
  }),
  onRead(assets.unused, async (_input, { tx, caller, now }) => ({
    items: (await unusedOf(tx, caller.id)).map((row) => presentAsset(row, now)),
  })),
  on(assets.note, async ({ params, body }, { tx, caller }) => {
    if ((await keepLog(tx, params.assetId, caller.id, body)) === 0) throw refusal('asset.not-found')
    return { success: true as const }
  }),
  onOpen(assets.sendParts, (input, { database, caller }) => sendParts({ database, caller: caller! }, input)),
  on(assets.prompt, async ({ body }, { tx, caller }) => {
    await tellPrompter(tx, caller.id, body)
    return { success: true as const }
  }),
  on(assets.discard, async ({ params }, { tx, caller }) => {
    await discardAsset(tx, params.assetId, caller.id)
    return { success: true as const }
  }),
]
