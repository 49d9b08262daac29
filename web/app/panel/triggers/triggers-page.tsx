import { BellRing, Plus } from 'lucide-react'
import { notifications, type Trigger } from '@clear-to-post/contract/notifications'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { RowList, RowsLoading, type RowParts } from '../../ui/listed.tsx'
import { ListPage } from '../list-page.tsx'
import { messages } from './messages.ts'
import { StatusBadge } from './status-badge.tsx'
import { TriggerMenu } from './trigger-menu.tsx'
import { AudienceWords } from './audience-words.tsx'
import { lastWords, nextWords, scheduleWords } from './words.ts'

/** Every trigger: what it is, when it runs next, and what became of the last run. */
export const TriggersPage = () => (
  <ListPage
    words={messages}
    icon={BellRing}
    create={
      <LinkButton to={paths.trigger} params={{ triggerId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
        {messages.create}
      </LinkButton>
    }
    list={usePages(notifications.triggers, { perPage: 50 })}
    loading={<RowsLoading count={3} />}
  >
    {(triggers) => <RowList label={messages.list} items={triggers} row={row} />}
  </ListPage>
)

const row: RowParts<Trigger> = {
  link: ({ id }) => ({ to: paths.trigger, params: { triggerId: id } }),
  name: ({ title }) => title,
  badge: ({ status }) => <StatusBadge status={status} />,
  text: (trigger) => (
    <>
      <AudienceWords trigger={trigger} />
      <br />
      {scheduleWords(trigger)}
    </>
  ),
  facts: (trigger) => (
    <>
      <p>{nextWords(trigger)}</p>
      <p className="text-muted">{lastWords(trigger)}</p>
    </>
  ),
  menu: (trigger) => <TriggerMenu trigger={trigger} />,
}
