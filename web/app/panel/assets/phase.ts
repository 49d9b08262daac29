import type { Asset } from '@clear-to-post/contract/assets'
import type { Upload } from './uploads.ts'

/** Where a file stands: as this browser sends it, then as the service has it. */
export type Phase = Upload['state'] | 'checking' | 'ready' | 'rejected' | 'failed'

/** What this browser has sent whole is with the service, whatever the list that was asked before says of it. */
export const phaseOfUpload = (upload: Pick<Upload, 'state'>, asset: Pick<Asset, 'state'> | undefined): Phase =>
  upload.state === 'sent' && asset && asset.state !== 'uploading' ? phaseOf(asset) : upload.state

export const phaseOf = ({ state }: Pick<Asset, 'state'>): Phase =>
  state === 'uploading' ? 'elsewhere' : state === 'received' ? 'sent' : state
