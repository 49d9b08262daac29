import { ErrorState } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { AddCategory } from './script-buttons.tsx'
import { useLibrary } from './use-library.ts'

/** Below the scripts: that one’s own did not load, and where this person may write the library, a category more. */
export const LibraryFoot = ({ isFiltered }: { isFiltered: boolean }) => {
  const { own, mayWrite, mayBegin } = useLibrary()
  return (
    <>
      {own.error && own.items === undefined && (
        <ErrorState title={messages.ownFailed} error={own.error} onRetry={() => void own.refetch()} />
      )}
      {(mayWrite || mayBegin) && !isFiltered && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
          <AddCategory />
          {mayBegin && <p className="min-w-48 flex-1 text-muted">{messages.ownLibrary}</p>}
        </div>
      )}
    </>
  )
}
