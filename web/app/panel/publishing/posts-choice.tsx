import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { publishing, type NewPost } from '@clear-to-post/contract/publishing'
import { fileProblems, kindWords, networks, type NetworkLimits, type PostFile } from '@clear-to-post/domain/networks'
import { fitWords } from '@clear-to-post/domain/network-fits'
import { noTiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import { smallPrint } from '@clear-to-post/domain/licences'
import { query } from '../../api.ts'
import { useUser } from '../../session.ts'
import { whenInSentence } from '../../times.ts'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import type { Captioned } from './caption-words.tsx'
import { endsBefore, endsWords } from './ends-before.tsx'
import { messages } from './messages.ts'
import { faultsOf, hasFaults } from './post-faults.ts'
import { PostFields } from './post-fields.tsx'
import { stillListed } from './still-listed.ts'

/** Where a video is posted by itself: each connected account with its own words. What was written stays while it is off. */
export const PostsChoice = ({
  projectId,
  title,
  file,
  video,
  captioned,
  at,
  chosen,
  isTried,
  onChange,
  onRevise,
}: {
  projectId: string
  /** The project's, to begin with. */
  title: string
  /** The approved video, as far as it is known. */
  file: PostFile | undefined
  /** Where the video is played from, once it can be. */
  video: string | undefined
  captioned: Captioned | undefined
  /** When it is to be posted; null while no such moment is chosen. */
  at: Date | null
  chosen: readonly NewPost[]
  /** It was to be scheduled already: what is not answered yet is said at its field. */
  isTried: boolean
  onChange: (posts: readonly NewPost[]) => void
  /** Asks for another cut; undefined where none can be asked for now. */
  onRevise: (() => void) | undefined
}) => {
  // Whoever connects an account again in another tab comes back to find it connected.
  const answer = useQuery({ ...query(publishing.connections, {}), staleTime: 0 })
  const { languages = [] } = useQuery(query(publishing.captions, { params: { projectId } })).data ?? {}
  const before = useQuery(query(publishing.posts, { params: { projectId } })).data?.items ?? []
  const { nmlsNumber, companyLicences } = useUser()
  const print = smallPrint({
    nmlsNumber: nmlsNumber ?? null,
    company: {
      nmlsNumber: companyLicences?.nmlsNumber ?? null,
      equalHousing: companyLicences?.equalHousing ?? null,
    },
  })
  return (
    <Loaded answer={answer} isSmall loading={<Skeleton className="mt-5 h-12 w-full" />}>
      {({ items, networks: offered }) =>
        offered.length === 0 ? null : (
          <fieldset className="mt-5 grid gap-3 border-t border-line pt-4">
            <legend className="sr-only">{messages.where}</legend>
            <h3 aria-hidden className="text-sm">
              {messages.where}
            </h3>
            {items.length === 0 && (
              <>
                <p className="text-muted">{messages.whereNone}</p>
                <div>
                  <LinkButton to={paths.connections} search={{}} size="small">
                    {messages.toConnections}
                  </LinkButton>
                </div>
              </>
            )}
            <Gone count={chosen.length - stillListed(chosen, items).length} />
            {items.map((connection) => {
              const { id, network, name, state, owner, actions = [] } = connection
              const limits: NetworkLimits = networks[network]
              const post = chosen.find(({ connectionId }) => connectionId === id)
              const misfits = file === undefined ? [] : fileProblems(network, file)
              const fitted = file === undefined ? [] : fitWords(network, file)
              const kind = file === undefined || misfits.length > 0 ? null : kindWords(network, file)
              const faults = post && faultsOf(network, post)
              // The newest first.
              const there = before.find((one) => one.connectionId === id && one.state === 'live')
              const endsFirst = at !== null && endsBefore(connection, at)
              const put = (part: Partial<NewPost>) =>
                onChange(chosen.map((one) => (one.connectionId === id ? { ...one, ...part } : one)))
              const begin: NewPost = {
                connectionId: id,
                words: print === '' ? title : `${title}\n\n${print}`,
                ...(limits.title ? { title } : {}),
                ...(limits.privacy?.chosen ? { privacy: limits.privacy.chosen } : {}),
                ...(network === 'tiktok' ? { tiktok: { ...noTiktokChoices, allows: [], discloses: [] } } : {}),
              }
              return (
                <div key={id} className="grid gap-3" data-post-faults={(faults && hasFaults(faults)) || undefined}>
                  <Checkbox
                    isSelected={post !== undefined}
                    aria-describedby={
                      cx(
                        there && `there-${id}`,
                        endsFirst && `ends-${id}`,
                        kind !== null && `kind-${id}`,
                        misfits.length === 0 && fitted.length > 0 && `fit-${id}`,
                      ) || undefined
                    }
                    isDisabled={(state !== 'active' || misfits.length > 0) && post === undefined}
                    onChange={(isOn) =>
                      onChange(isOn ? [...chosen, begin] : chosen.filter(({ connectionId }) => connectionId !== id))
                    }
                  >
                    {messages.on(limits.name, name)}
                    {owner === 'company' && ` · ${messages.companys}`}
                    {state !== 'active' && ` · ${messages.isEnded}`}
                  </Checkbox>
                  {(state !== 'active' || (endsFirst && actions.includes('renew'))) && (
                    <p className="-mt-2 pl-7 text-[0.8125rem] text-muted">
                      {actions.includes('renew') ? (
                        <a
                          href={paths.connections}
                          target="_blank"
                          rel="noreferrer"
                          aria-label={messages.connectInTab(messages.on(limits.name, name))}
                          className="touch inline-flex items-center gap-1 text-ink underline underline-offset-2"
                        >
                          {messages.connectItAgain}
                          <ExternalLink aria-hidden className="size-3.5" />
                        </a>
                      ) : (
                        state !== 'active' && messages.askAdminToConnect
                      )}
                    </p>
                  )}
                  {there && (
                    <p id={`there-${id}`} className="-mt-2 pl-7 text-[0.8125rem] text-danger">
                      {messages.postedThere(whenInSentence(there.liveAt ?? there.dueAt))}
                    </p>
                  )}
                  {endsFirst && (
                    <p id={`ends-${id}`} role="status" className="-mt-2 pl-7 text-[0.8125rem] text-danger">
                      {endsWords(connection)}
                    </p>
                  )}
                  {kind !== null && (
                    <p id={`kind-${id}`} className="-mt-2 pl-7 text-[0.8125rem] text-muted">
                      {kind}
                    </p>
                  )}
                  {misfits.length === 0 && fitted.length > 0 && (
                    <p id={`fit-${id}`} className="-mt-2 pl-7 text-[0.8125rem] text-muted">
                      {fitted.join(' ')} {messages.fitHint}
                    </p>
                  )}
                  {misfits.length > 0 && (
                    <div className="grid justify-items-start gap-2 pl-7">
                      {misfits.map((problem) => (
                        <p key={problem} className="text-[0.8125rem] text-muted">
                          {problem}
                        </p>
                      ))}
                      {onRevise && (
                        <Button
                          size="small"
                          aria-label={`${messages.askForCut}: ${messages.on(limits.name, name)}`}
                          onPress={onRevise}
                        >
                          {messages.askForCut}
                        </Button>
                      )}
                    </div>
                  )}
                  {post && (
                    <div className="pl-7">
                      <PostFields
                        network={network}
                        name={messages.on(limits.name, name)}
                        post={post}
                        languages={languages}
                        captioned={captioned}
                        video={video}
                        lastMs={file?.durationMs ?? null}
                        isTried={isTried}
                        onChange={put}
                      />
                    </div>
                  )}
                </div>
              )
            })}
          </fieldset>
        )
      }
    </Loaded>
  )
}

/** Chosen in a draft, and disconnected since. */
const Gone = ({ count }: { count: number }) =>
  count > 0 && (
    <p role="status" className="text-[0.8125rem] text-muted">
      {messages.isGone(count)}
    </p>
  )
