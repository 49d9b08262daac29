import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { apiKeys, type ApiKey } from '@clear-to-post/contract/api-keys'
import { query } from '../../api.ts'
import { dayWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Section } from '../profile/section.tsx'
import { KeyMenu, KeyState, Prefix, scopeWords, usedWords } from './key-parts.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { messages } from './messages.ts'

/** A person's own keys for programs. */
export const KeysCard = () => {
  const found = useQuery(query(apiKeys.list, {}))
  const [isMaking, setMaking] = useState(false)
  return (
    <Section id="api-keys" title={messages.card} text={messages.cardText}>
      <Loaded
        answer={found}
        failed={messages.cardFailed}
        isSmall
        loading={<Skeleton className="h-10 rounded-control" />}
      >
        {({ items, offered }) => (
          <div className="grid justify-items-start gap-4">
            {items.length === 0 ? (
              <p className="text-muted">{messages.none}</p>
            ) : (
              <ul aria-label={messages.card} className="grid w-full divide-y divide-line">
                {items.map((one) => (
                  <KeyItem key={one.id} of={one} />
                ))}
              </ul>
            )}
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button icon={<KeyRound aria-hidden />} onPress={() => setMaking(true)}>
                {messages.make}
              </Button>
              <a href="/api/docs" className="touch underline underline-offset-2">
                {messages.reference}
              </a>
            </div>
            {isMaking && <MakeKeyDialog offered={offered} onClose={() => setMaking(false)} />}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

const KeyItem = ({ of: one }: { of: ApiKey }) => (
  <li className="flex items-start gap-3 py-3 first:pt-0">
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-medium [overflow-wrap:anywhere]">{one.name}</span>
        <KeyState of={one} />
      </p>
      <Prefix of={one} />
      <p className="text-[0.8125rem] text-muted">{scopeWords(one)}</p>
      <p className="figures text-[0.8125rem] text-muted">
        {one.state === 'ended'
          ? messages.endedWhy
          : `${(one.state === 'good' ? messages.until : messages.wasUntil)(dayWords(one.endsAt))}, ${usedWords(one)}`}
      </p>
    </div>
    <KeyMenu of={one} />
  </li>
)
