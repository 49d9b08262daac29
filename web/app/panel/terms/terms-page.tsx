import { useEffect, useRef, useState } from 'react'
import { ExternalLink } from 'lucide-react'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { termsVersions, type TermsDocument } from '@clear-to-post/domain/terms'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { readUserAnew, signOut, useUser } from '../../session.ts'
import { dayInWords } from '../../site/day-in-words.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { messages } from './messages.ts'

const names: Record<TermsDocument, string> = { terms: messages.terms, privacy: messages.privacy }

/** Asks for agreement to the words of today, in place of every page of the panel. */
export const TermsPage = () => {
  const { termsDue } = useUser()
  const accept = useCall(accounts.acceptTerms)
  const [wrong, setWrong] = useState<{ words: string; isOld: boolean }>()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const agree = async () => {
    setWrong(undefined)
    try {
      const documents = termsDue.map((document) => ({ document, version: termsVersions[document] }))
      await accept.mutateAsync({ body: { documents } })
      await readUserAnew()
    } catch (error) {
      const isOld = error instanceof Refusal && error.code === 'account.terms-changed'
      setWrong({ words: isOld ? messages.changed : failureWords(error), isOld })
    }
  }
  return (
    <div className="mx-auto grid w-full max-w-xl gap-5 px-4 py-10 md:py-16">
      <title>{`${messages.title} · Clear to Post`}</title>
      <h1 ref={title} tabIndex={-1} className="text-2xl font-bold outline-none">
        {messages.title}
      </h1>
      <p className="text-muted">{messages.intro}</p>
      <ul className="grid divide-y divide-line rounded-card border border-line bg-surface">
        {termsDue.map((document) => (
          <li key={document}>
            <a
              href={paths[document]}
              target="_blank"
              rel="noopener"
              className="flex min-h-14 flex-wrap items-center gap-x-3 rounded-card px-4 py-2 hover:bg-sunken"
            >
              <span className="font-semibold">{names[document]}</span>
              <span className="text-[0.8125rem] text-muted">{messages.since(dayInWords(termsVersions[document]))}</span>
              <ExternalLink aria-hidden className="ml-auto size-4 text-muted" />
            </a>
          </li>
        ))}
      </ul>
      {wrong && <Problem>{wrong.words}</Problem>}
      <div className="flex flex-wrap gap-3">
        {wrong?.isOld ? (
          <Button variant="primary" size="large" onPress={() => location.reload()}>
            {messages.again}
          </Button>
        ) : (
          <Button variant="primary" size="large" isPending={accept.isPending} onPress={() => void agree()}>
            {messages.agree}
          </Button>
        )}
        <Button size="large" onPress={() => void signOut()}>
          {messages.leave}
        </Button>
      </div>
    </div>
  )
}
