import type { Asset } from '@clear-to-post/contract/assets'
import { fileUrl } from './addresses.ts'
import { maySend, type AssetRow } from './store.ts'

/** A file as the contract shows it, with addresses signed at `now`; a download is saved as `downloadAs`. */
export const presentAsset = (row: AssetRow, now: Date, downloadAs = row.file_name): Asset => {
  const { original, play, poster, thumb, peaks, filmstrip, light } = row.derived
  const url = (path: string) => fileUrl(row.id, path, now)
  return {
    assetId: row.id,
    fileName: row.file_name,
    extension: row.extension,
    fileSize: row.is_open ? row.received_bytes : row.file_size,
    assetUrl: row.state === 'ready' && original ? fileUrl(row.id, original, now, downloadAs) : '',
    thumbnailUrl: thumb ? url(thumb) : '',
    type: row.type,
    authorId: row.author_id,
    uploadedAt: row.uploaded_at.toISOString(),
    state: row.state,
    receivedBytes: row.received_bytes,
    notes: row.notes,
    ...optional('duration', row.duration_ms === null ? null : row.duration_ms / 1000),
    ...optional('progress', row.progress),
    ...optional('error', row.reason),
    ...optional('stage', row.stage),
    ...optional('sha256', row.sha256),
    ...optional('projectId', row.project_id),
    ...optional('width', row.width),
    ...optional('height', row.height),
    ...optional('format', row.format),
    ...optional('playUrl', play && url(play)),
    ...optional('posterUrl', poster && url(poster)),
    ...optional('peaksUrl', peaks && url(peaks)),
    ...optional('filmstrip', filmstrip && strip(filmstrip, url)),
    ...optional('light', light),
    ...(row.is_open ? { isOpen: true } : {}),
    ...(row.purpose === 'cut' && row.type === 'video' && !maySend(row) ? { isBRollOnly: true } : {}),
  }
}

/** The address of a file's small picture; empty when there is none. */
export const thumbnailUrl = (assetId: string, thumb: string | null, now: Date): string =>
  thumb === null ? '' : fileUrl(assetId, thumb, now)

const optional = <Key extends keyof Asset>(key: Key, value: Asset[Key] | null): Partial<Pick<Asset, Key>> =>
  value === null || value === undefined ? {} : ({ [key]: value } as Partial<Pick<Asset, Key>>)

const strip = ({ path, ...numbers }: NonNullable<AssetRow['derived']['filmstrip']>, url: (path: string) => string) => ({
  url: url(path),
  ...numbers,
})
