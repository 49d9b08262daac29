import { useEffect, useState } from 'react'
import { Download, Share2 } from 'lucide-react'
import type { Asset } from '@clear-to-post/contract/assets'
import { percentWords } from '../../times.ts'
import { copyText } from '../../ui/copy-text.ts'
import { AnchorButton, Button } from '../../ui/button.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Download of the finished video, and sharing where it is what is waited for. */
export const Deliver = ({ asset, title, isMain }: { asset: Asset; title: string; isMain: boolean }) => (
  <>
    <AnchorButton
      href={asset.assetUrl}
      download={`${title}.${asset.extension}`}
      variant={isMain ? 'primary' : 'quiet'}
      icon={<Download aria-hidden />}
    >
      {messages.download}
    </AnchorButton>
    {isMain && <Share asset={asset} title={title} />}
  </>
)

/**
 * Where the device shares files, the video itself is shared: apps take a file, and its address ends after a while.
 * A browser opens the share sheet only at a press, so a video that takes long to arrive asks for a second one.
 */
const Share = ({ asset, title }: { asset: Asset; title: string }) => {
  const [part, setPart] = useState<number | null>(null)
  const [file, setFile] = useState<File | null>(null)
  useEffect(() => setFile(null), [asset.assetId])

  const open = async (ready: File) => {
    try {
      await navigator.share({ files: [ready], title })
      setFile(null)
    } catch (error) {
      // Not at a press any more: the next one opens it. Closing the sheet is no failure.
      if (error instanceof DOMException && error.name === 'NotAllowedError') setFile(ready)
    }
  }
  const press = async () => {
    if (file) return open(file)
    const type = 'video/mp4'
    const probe = new File([], `video.${asset.extension || 'mp4'}`, { type })
    if (!('canShare' in navigator) || !navigator.canShare({ files: [probe] })) {
      return copyText(location.href.split('?')[0] ?? location.href, messages.linkCopied, { isRead: false })
    }
    setPart(0)
    try {
      const blob = await load(asset.assetUrl, asset.fileSize, setPart)
      await open(new File([blob], asset.fileName, { type: blob.type.startsWith('video/') ? blob.type : type }))
    } catch (error) {
      toastFailure(error)
    } finally {
      setPart(null)
    }
  }
  return (
    <Button
      icon={<Share2 aria-hidden />}
      isPending={part !== null}
      variant={file ? 'primary' : 'secondary'}
      onPress={() => void press()}
    >
      {part !== null ? messages.shareLoading(percentWords(part)) : file ? messages.shareNow : messages.share}
    </Button>
  )
}

const load = async (address: string, size: number, onPart: (part: number) => void): Promise<Blob> => {
  const response = await fetch(address)
  if (!response.ok || !response.body) throw new Error(`The video answered ${response.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let got = 0
  const reader = response.body.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    parts.push(chunk.value)
    got += chunk.value.length
    onPart(size > 0 ? Math.min(1, got / size) : 0)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? 'video/mp4' })
}
