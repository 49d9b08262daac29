import { assets, type Asset } from '@clear-to-post/contract/assets'
import { Refusal } from '@clear-to-post/contract/errors'
import { queryClient, send } from '../../api.ts'
import { bearerOf, personHere } from '../../session.ts'
import { messages } from './messages.ts'
import { picturesInHand } from './pictures-in-hand.ts'

/**
 * Sends a picture that becomes somebody's photo, logo or icon, and hands it to `use` once the service has checked it.
 * Not in the tray: it is small, and nobody submits it. What `use` refuses, or what is not used, is thrown away again.
 * Throws a Refusal in words for the person.
 */
export const sendPicture = async (
  file: File,
  shape: PictureShape,
  apply: (picture: Asset) => Promise<unknown>,
  onProgress: (part: number | null) => void,
): Promise<void> => {
  const as = personHere()
  const assetId = await upload(await redrawn(file, shape), as, onProgress)
  try {
    onProgress(null)
    await apply(await checked(assetId, as))
  } catch (error) {
    await send(assets.discard, { params: { assetId } }, { as }).catch(() => undefined)
    throw error
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['assets'] })
  }
}

/**
 * Sends a file as it is, outside of the tray, and answers it once the service has checked it. `onProgress` gets 0 to 1, null
 * while it is checked. Throws a Refusal in words for the person; what was refused is thrown away.
 */
export const sendWhole = async (file: File, onProgress: (part: number | null) => void): Promise<Asset> => {
  const as = personHere()
  const assetId = await upload(file, as, onProgress)
  try {
    onProgress(null)
    return await checked(assetId, as, 15 * 60_000)
  } catch (error) {
    await send(assets.discard, { params: { assetId } }, { as }).catch(() => undefined)
    throw error
  }
}

/** `photo` is cut to a square; a `logo` keeps its shape and its clear parts. */
export type PictureShape = 'photo' | 'logo'

const mostPixels = { photo: 512, logo: 1024 }

/** The picture in the size it is shown in; drawn anew it also loses what the camera wrote into it (place, time, device). */
const redrawn = async (file: File, shape: PictureShape): Promise<File> => {
  const picture = await decoded(file)
  const { width, height } = picture
  const side = Math.min(width, height)
  const [fromX, fromY, fromWidth, fromHeight] =
    shape === 'photo' ? [(width - side) / 2, (height - side) / 2, side, side] : [0, 0, width, height]
  const scale = Math.min(1, mostPixels[shape] / Math.max(fromWidth, fromHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(fromWidth * scale))
  canvas.height = Math.max(1, Math.round(fromHeight * scale))
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, fromX, fromY, fromWidth, fromHeight, 0, 0, canvas.width, canvas.height)
  const type = shape === 'photo' ? 'image/jpeg' : 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
  if (blob === null) throw unreadable()
  return new File([blob], `${shape}.${shape === 'photo' ? 'jpg' : 'png'}`, { type })
}

const decoded = async (file: File): Promise<HTMLImageElement> => {
  const address = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    if (picture.naturalWidth === 0) throw unreadable()
    return picture
  } catch {
    throw unreadable()
  } finally {
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
}

const upload = async (file: File, as: string | null, onProgress: (part: number | null) => void): Promise<string> => {
  const { Upload } = await import('tus-js-client')
  return new Promise((resolve, reject) => {
    const idOf = () => upload.url?.split('/').pop() ?? ''
    const upload = new Upload(file, {
      endpoint: new URL('/uploads', location.href).href,
      retryDelays: [500, 1500, 4000],
      storeFingerprintForResuming: false,
      metadata: { filename: file.name, filetype: file.type },
      onBeforeRequest: async (request) => {
        const token = as === null ? null : await bearerOf(as)
        if (token) request.setHeader('Authorization', `Bearer ${token}`)
      },
      onUploadUrlAvailable: () => void picturesInHand.add(idOf()),
      onProgress: (sent, total) => onProgress(sent / total),
      onSuccess: () => resolve(idOf()),
      onError: (error) => reject(refusalIn(error)),
    })
    upload.start()
  })
}

const checked = async (assetId: string, as: string | null, longestMs = 60_000): Promise<Asset> => {
  for (const began = Date.now(); ; await new Promise((resume) => setTimeout(resume, 600))) {
    const asset = await send(assets.find, { params: { assetId } }, { as })
    if (asset.state === 'ready' && asset.assetUrl) return asset
    if (asset.state === 'rejected' || asset.state === 'failed') throw unreadable(asset.error)
    if (Date.now() - began > longestMs) throw new Refusal('asset.slow', messages.pictureSlow, 'unavailable')
  }
}

const unreadable = (words: string = messages.pictureUnreadable) =>
  new Refusal('asset.unreadable', words, 'invalid-argument')

/** What the service said, when it said something. */
const refusalIn = (error: Error & { originalResponse?: { getBody: () => string } | null }): Error => {
  try {
    const { message } = JSON.parse(error.originalResponse?.getBody() ?? '') as { message?: string }
    return message ? new Refusal('asset.refused', message, 'conflict') : error
  } catch {
    return error
  }
}
