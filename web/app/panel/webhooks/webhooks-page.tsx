import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { webhooks, type WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { webhookStates } from '@clear-to-post/domain/webhooks'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { RowList, RowsLoading, type RowParts } from '../../ui/listed.tsx'
import { ListPage } from '../list-page.tsx'
import { searchFilter } from '../search-filter.tsx'
import { useFilters } from '../use-filters.ts'
import { PeopleNav } from '../accounts/people-nav.tsx'
import { messages } from './messages.ts'
import { healthWords, nameOf, StateBadge } from './parts.tsx'
import { wheresOf } from './search.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookMenu } from './webhook-menu.tsx'

const route = getRouteApi('/panel/people/webhooks')

/** The addresses of programs that hear of videos and posts: of this ADMIN's company, or of all. */
export const WebhooksPage = () => {
  const filters = useFilters(route.useSearch())
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ListPage
        words={messages}
        icon={Webhook}
        beside={<PeopleNav />}
        create={
          <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setAdding(true)}>
            {messages.add}
          </Button>
        }
        filter={searchFilter(
          messages,
          filters,
          <FilterSelect
            label={messages.state}
            all={messages.allStates}
            value={filters.search.state}
            options={webhookStates.map((state) => ({ value: state, label: messages.states[state] }))}
            onChange={(state) => filters.change({ state })}
          />,
        )}
        list={usePages(webhooks.list, { perPage: 50, wheres: wheresOf(filters.search) })}
        loading={<RowsLoading count={3} />}
      >
        {(items) => <RowList label={messages.list} items={items} row={row} />}
      </ListPage>
      {isAdding && <WebhookDialog onClose={() => setAdding(false)} />}
    </>
  )
}

const row: RowParts<WebhookEndpoint> = {
  link: ({ id }) => ({ to: paths.webhook, params: { endpointId: id } }),
  name: nameOf,
  badge: (one) => <StateBadge of={one} />,
  text: ({ url, tenantName }) => (
    <>
      {url}
      {tenantName !== undefined && (
        <>
          <br />
          {tenantName}
        </>
      )}
    </>
  ),
  facts: (one) => (
    <>
      <p>{healthWords(one)}</p>
      <p className="text-muted">{messages.eventCount(one.events.length)}</p>
    </>
  ),
  menu: (one) => <WebhookMenu of={one} />,
}
