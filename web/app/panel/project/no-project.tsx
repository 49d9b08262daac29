import { failureWords, isForbidden, isMissing } from '../../failures.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { homeOf } from '../entries.ts'
import { messages } from './messages.ts'

/** What stands in a project's place when it is not there for this person, or could not be loaded. */
export const NoProject = ({ error, title, onRetry }: { error: Error; title: string; onRetry: () => void }) => {
  const user = useUser()
  return (
    <div className="mx-auto max-w-3xl px-4 py-10">
      {isMissing(error) || isForbidden(error) ? (
        <EmptyState
          title={isForbidden(error) ? title : messages.noneTitle}
          text={isForbidden(error) ? failureWords(error) : messages.noneText}
          action={
            <LinkButton to={homeOf(user)} variant="primary">
              {messages.toList}
            </LinkButton>
          }
        />
      ) : (
        <ErrorState title={title} error={error} onRetry={onRetry} />
      )}
    </div>
  )
}
