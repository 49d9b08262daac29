import { useState } from 'react'
import { Pencil, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { clips, type Clip } from '@clear-to-post/contract/clips'
import { useCall } from '../../api.ts'
import { IconButton } from '../../ui/button.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { refreshClips } from './clip-dialog.tsx'
import { ClipPoster } from './clip-poster.tsx'
import { messages } from './messages.ts'

/** A clip of a library: it plays under the pointer; who may changes it or takes it out. */
export const ClipCard = ({ clip, onEdit }: { clip: Clip; onEdit: () => void }) => {
  const [isPlaying, setIsPlaying] = useState(false)
  const change = useCall(clips.change, { onSuccess: () => void refreshClips(), onError: toastFailure })
  const put = (isRemoved: boolean, then?: () => void) =>
    change.mutate({ params: { clipId: clip.id }, body: { isRemoved } }, { onSuccess: () => then?.() })
  const takeOut = () =>
    put(true, () =>
      toast.success(messages.takenOut(clip.title), {
        action: { label: messages.undo, onClick: () => put(false) },
      }),
    )
  return (
    <li
      className="flex flex-col overflow-hidden rounded-card border border-line bg-surface"
      onPointerEnter={() => setIsPlaying(true)}
      onPointerLeave={() => setIsPlaying(false)}
    >
      <ClipPoster clip={clip} isPlaying={isPlaying} className="aspect-video w-full" />
      <div className="flex flex-1 items-start gap-1 p-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-[0.9375rem] font-medium [overflow-wrap:anywhere]">{clip.title}</h2>
          <p className="text-[0.8125rem] text-muted">{clip.tenantName ?? messages.ofService}</p>
          {clip.tags.length > 0 && (
            <ul aria-label={messages.tags} className="mt-2 flex flex-wrap gap-1">
              {clip.tags.map((tag) => (
                <li
                  key={tag}
                  className="rounded-full bg-sunken px-2 py-0.5 text-[0.8125rem] [overflow-wrap:anywhere] text-muted"
                >
                  {tag}
                </li>
              ))}
            </ul>
          )}
        </div>
        {clip.actions.includes('change') && (
          <div className="-mt-1 -mr-1 flex">
            <IconButton label={messages.edit(clip.title)} onPress={onEdit} className="text-muted">
              <Pencil aria-hidden />
            </IconButton>
            <IconButton
              label={messages.takeOut(clip.title)}
              isDisabled={change.isPending}
              onPress={takeOut}
              className="text-muted"
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
    </li>
  )
}
