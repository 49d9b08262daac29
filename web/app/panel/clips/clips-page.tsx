import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Film, Pencil, Plus, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { clips, type Clip } from '@clear-to-post/contract/clips'
import { useCall, usePages } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { ListPage } from '../list-page.tsx'
import { ClipDialog, refreshClips } from './clip-dialog.tsx'
import { ClipPoster } from './clip-poster.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/clips')

/** The B-roll libraries: clips that editors lay over words, found by title and tags. */
export const ClipsPage = () => {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const look = (words: string) =>
    void navigate({ search: words ? { q: words } : {}, replace: true, resetScroll: false })
  const list = usePages(clips.list, {
    perPage: 24,
    ...(q
      ? {
          wheres: q
            .split(/\s+/)
            .slice(0, 10)
            .map((word) => `about:contains:${word}`),
        }
      : {}),
  })
  const [open, setOpen] = useState<{ clip?: Clip } | null>(null)
  const mayAdd = useMay('clip.write')
  const add = mayAdd && (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen({})}>
      {messages.add}
    </Button>
  )
  return (
    <>
      <ListPage
        words={mayAdd ? messages : { ...messages, emptyText: messages.emptyReadOnly }}
        icon={Film}
        create={add}
        filter={{
          words: messages,
          isOn: q !== undefined,
          onClear: () => look(''),
          fields: (
            <div role="search">
              <SearchField label={messages.search} value={q ?? ''} onChange={look} className="sm:w-72" />
            </div>
          ),
        }}
        list={list}
        loading={
          <div className={grid}>
            {[0, 1, 2, 3, 4, 5].map((card) => (
              <Skeleton key={card} className="h-52 w-full rounded-card" />
            ))}
          </div>
        }
      >
        {(items) => (
          <ul aria-label={messages.list} className={grid}>
            {items.map((clip) => (
              <ClipCard key={clip.id} clip={clip} onEdit={() => setOpen({ clip })} />
            ))}
          </ul>
        )}
      </ListPage>
      {open && <ClipDialog clip={open.clip} onClose={() => setOpen(null)} />}
    </>
  )
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-4'

const ClipCard = ({ clip, onEdit }: { clip: Clip; onEdit: () => void }) => {
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
