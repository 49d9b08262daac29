import { useEffect, useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil, Plus, ScrollText } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { ListPage, NothingFits } from '../list-page.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { messages } from './messages.ts'
import { scriptGrid } from './script-card.tsx'
import { ScriptChips } from './script-chips.tsx'
import { ScriptDialog } from './script-dialog.tsx'
import { ScriptGroup } from './script-group.tsx'
import { ownKey, type ScriptsSearch } from './search.ts'
import { useLibrary, type Category, type Script } from './use-library.ts'

const route = getRouteApi('/panel/scripts')
type Open = { kind: 'script' | 'category'; category?: Category }

/** The library by category, and one's own scripts. */
export const ScriptsPage = () => {
  const { q, category: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (part: Partial<ScriptsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const { library, own, mayWrite, mayBegin } = useLibrary()
  const [open, setOpen] = useState<Open | null>(null)
  useWholeList(own, q !== undefined)

  const fits = (script: Script) => matches(script, q)
  const categories = library.data?.categories ?? []
  const shownOwn = chosen === undefined || chosen === ownKey ? (own.items ?? []).filter(fits) : []
  const shown = categories
    .filter(({ id }) => chosen === undefined || chosen === id)
    .map((category) => ({ ...category, scripts: category.scripts.filter(fits) }))
    // A search shows only where something was found; without one an empty category is still a place to fill.
    .filter(({ scripts }) => scripts.length > 0 || (q === undefined && mayWrite))
  const groups = [...(shownOwn.length > 0 ? [{ id: ownKey, scripts: shownOwn }] : []), ...shown]
  const ownFailed = own.isError && own.items === undefined
  const isComplete = library.data !== undefined && (groups.length > 0 || own.items !== undefined || ownFailed)
  const isFiltered = q !== undefined || chosen !== undefined
  // Nobody searched for what they have not written yet.
  const isOwnEmpty = chosen === ownKey && q === undefined
  const write = (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen({ kind: 'script' })}>
      {messages.write}
    </Button>
  )
  const nothing = !ownFailed && (
    <EmptyState
      icon={<ScrollText aria-hidden />}
      title={isOwnEmpty ? messages.noOwnTitle : messages.emptyTitle}
      text={isOwnEmpty ? messages.noOwnText : messages.emptyText}
      action={write}
    />
  )
  return (
    <>
      <ListPage
        title={messages.title}
        create={write}
        filter={{
          isOn: isFiltered,
          fields: (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <p className="max-w-prose text-muted">{messages.text}</p>
              <div role="search">
                <SearchField
                  label={messages.search}
                  value={q ?? ''}
                  onChange={(words) => go({ q: words || undefined })}
                  className="sm:w-72"
                />
              </div>
              {library.data && (
                <ScriptChips
                  categories={categories}
                  hasOwn={chosen === ownKey || (own.items?.length ?? 0) > 0}
                  chosen={chosen}
                  onChoose={(category) => go({ category })}
                />
              )}
            </div>
          ),
          none: isOwnEmpty ? (
            nothing
          ) : (
            <NothingFits
              title={messages.noneTitle}
              text={messages.noneText}
              clear={messages.clear}
              onClear={() => go({ q: undefined, category: undefined })}
            />
          ),
        }}
        list={{
          items: isComplete ? groups : undefined,
          error: library.error,
          refetch: library.refetch,
        }}
        failed={messages.failed}
        loading={
          <>
            <Skeleton className="mb-3 h-6 w-40" />
            <div className={scriptGrid}>
              {[0, 1, 2, 3, 4, 5].map((card) => (
                <Skeleton key={card} className="h-36 w-full rounded-card" />
              ))}
            </div>
          </>
        }
        empty={nothing}
        foot={
          isComplete && (
            <>
              {ownFailed && (
                <ErrorState title={messages.ownFailed} error={own.error} onRetry={() => void own.refetch()} />
              )}
              {(mayWrite || mayBegin) && !isFiltered && (
                <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
                  <Button icon={<Plus aria-hidden />} onPress={() => setOpen({ kind: 'category' })}>
                    {messages.addCategory}
                  </Button>
                  {mayBegin && <p className="min-w-48 flex-1 text-muted">{messages.ownLibrary}</p>}
                </div>
              )}
            </>
          )
        }
        className="mx-auto gap-5 py-4"
      >
        {() => (
          <>
            {shownOwn.length > 0 && (
              <ScriptGroup id="own" title={messages.own} scripts={shownOwn}>
                <div className="grid *:mt-3">
                  <MoreButton list={own} />
                </div>
              </ScriptGroup>
            )}
            {shown.map((category) => (
              <ScriptGroup
                key={category.id}
                id={`category-${category.id}`}
                title={category.title}
                scripts={category.scripts}
                category={category}
                actions={
                  mayWrite && (
                    <>
                      <IconButton
                        label={messages.addScriptTo(category.title)}
                        onPress={() => setOpen({ kind: 'script', category })}
                        className="text-muted"
                      >
                        <Plus aria-hidden />
                      </IconButton>
                      <IconButton
                        label={messages.editCategoryNamed(category.title)}
                        onPress={() => setOpen({ kind: 'category', category })}
                        className="text-muted"
                      >
                        <Pencil aria-hidden />
                      </IconButton>
                    </>
                  )
                }
              />
            ))}
          </>
        )}
      </ListPage>
      {open?.kind === 'script' && <ScriptDialog category={open.category} onClose={() => setOpen(null)} />}
      {open?.kind === 'category' && <CategoryDialog category={open.category} onClose={() => setOpen(null)} />}
    </>
  )
}

/** Everything is looked through, also what is not on the page yet. */
const useWholeList = (
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> },
  isWanted: boolean,
): void => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetchingNextPage, fetchNextPage])
}

const matches = ({ title, content, tags = [] }: Script, q: string | undefined): boolean => {
  if (q === undefined) return true
  const text = `${title}\n${content}\n${tags.join(' ')}`.toLocaleLowerCase()
  return q
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
