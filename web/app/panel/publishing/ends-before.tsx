import { useQuery } from '@tanstack/react-query'
import { publishing, type Connection, type Post } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { query } from '../../api.ts'
import { whenInSentence } from '../../times.ts'
import { Loaded } from '../../ui/states.tsx'
import { messages } from './messages.ts'

/** Whether the network ends this connection before a post at this moment. */
export const endsBefore = ({ state, endsAt }: Connection, at: Date): boolean =>
  state === 'active' && endsAt !== undefined && new Date(endsAt) < at

/** What is said of it, with the way on. */
export const endsWords = ({ owner, endsAt = '' }: Connection): string =>
  (owner === 'company' ? messages.companysEndsBefore : messages.endsBefore)(whenInSentence(endsAt))

/** Connections of these posts that end before the moment to which they are moved, said where it is chosen. */
export const EndsBefore = ({ posts, at }: { posts: readonly Post[]; at: Date }) => {
  const answer = useQuery(query(publishing.connections, {}))
  return (
    <Loaded answer={answer} isSmall loading={null}>
      {({ items }) => {
        const ending = items.filter((one) => endsBefore(one, at) && posts.some((post) => post.connectionId === one.id))
        return (
          <div role="status" className="grid gap-1 text-[0.8125rem] text-danger">
            {ending.map((one) => (
              <p key={one.id} className="mt-3">
                {messages.on(networks[one.network].name, one.name)}: {endsWords(one)}
              </p>
            ))}
          </div>
        )
      }}
    </Loaded>
  )
}

/** The same for all that a project's posts still wait for. */
export const ProjectEndsBefore = ({ projectId, at }: { projectId: string; at: Date }) => {
  const answer = useQuery(query(publishing.posts, { params: { projectId } }))
  return (
    <Loaded answer={answer} isSmall loading={null}>
      {({ items }) => <EndsBefore posts={items.filter(({ actions }) => actions.includes('move'))} at={at} />}
    </Loaded>
  )
}
