import { getRouteApi } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { CardsLoading } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { LibraryFoot } from './library-foot.tsx'
import { messages } from './messages.ts'
import { WriteScript } from './script-buttons.tsx'
import { scriptGrid } from './script-card.tsx'
import { ScriptFilters } from './script-filters.tsx'
import { ScriptGroup } from './script-group.tsx'
import { ownKey } from './search.ts'
import { useGroups } from './use-groups.ts'

const route = getRouteApi('/panel/scripts')

/** The library by category, and one's own scripts. */
export const ScriptsPage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch())
  const list = useGroups(search)
  return (
    <ListPage
      words={messages}
      icon={ScrollText}
      create={<WriteScript />}
      filter={{
        // Nobody searched for what they have not written yet.
        words: search.category === ownKey && search.q === undefined ? messages.noOwn : messages,
        isOn: isFiltered,
        fields: <ScriptFilters search={search} onChange={change} />,
        onClear: clear,
      }}
      list={list}
      loading={
        <CardsLoading grid={scriptGrid}>
          <Skeleton className="h-36 w-full rounded-card" />
        </CardsLoading>
      }
      foot={list.items && <LibraryFoot isFiltered={isFiltered} />}
      className="mx-auto gap-5 py-4"
    >
      {(groups) => groups.map((group) => <ScriptGroup key={group.id} group={group} />)}
    </ListPage>
  )
}
