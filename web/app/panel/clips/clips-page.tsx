import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Film, Plus } from 'lucide-react'
import { clips, type Clip } from '@clear-to-post/contract/clips'
import { usePages } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
import { searchFilter } from '../search-filter.tsx'
import { useFilters } from '../use-filters.ts'
import { ClipCard } from './clip-card.tsx'
import { ClipDialog } from './clip-dialog.tsx'
import { messages } from './messages.ts'
import { wheresOf } from './search.ts'

const route = getRouteApi('/panel/clips')

/** The B-roll libraries: clips that editors lay over words, found by title and tags. */
export const ClipsPage = () => {
  const filters = useFilters(route.useSearch())
  const list = usePages(clips.list, { perPage: 24, wheres: wheresOf(filters.search) })
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
        filter={searchFilter(messages, filters)}
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
