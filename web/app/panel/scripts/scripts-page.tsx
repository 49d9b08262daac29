import { useEffect, useRef, useState, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil, Plus, ScrollText, SearchX } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Awaiting, EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { PageHead } from '../page-head.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { ScriptCard, scriptGrid } from './script-card.tsx'
import { ScriptDialog } from './script-dialog.tsx'
import type { ScriptsSearch } from './search.ts'
import { useLibrary, type Category, type Script } from './use-library.ts'

const route = getRouteApi('/panel/scripts')
type Open = { kind: 'script'; category?: Category } | { kind: 'category'; category?: Category }

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
  const isLoading = library.isPending || own.items === undefined
  const isNothing = !isLoading && shown.length === 0 && shownOwn.length === 0
  const isFiltered = q !== undefined || chosen !== undefined
  const write = (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setOpen({ kind: 'script' })}>
      {messages.write}
    </Button>
  )
  return (
    <>
      <PageHead title={messages.title} actions={!(isNothing && !isFiltered) && write} />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-5 px-4 py-4 md:px-6">
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
            <Chips
              categories={categories}
              hasOwn={chosen === ownKey || (own.items?.length ?? 0) > 0}
              chosen={chosen}
              onChoose={(category) => go({ category })}
            />
          )}
        </div>
        {library.data === undefined ? (
          <Awaiting answer={library} failed={messages.failed}>
            <Skeleton className="mb-3 h-6 w-40" />
            <div className={scriptGrid}>
              {[0, 1, 2, 3, 4, 5].map((card) => (
                <Skeleton key={card} className="h-36 w-full rounded-card" />
              ))}
            </div>
          </Awaiting>
        ) : (
          <>
            {own.isError && !own.items && (
              <ErrorState title={messages.ownFailed} error={own.error} onRetry={() => void own.refetch()} />
            )}
            {shownOwn.length > 0 && (
              <section aria-labelledby="own">
                <GroupHead id="own" title={messages.own} count={shownOwn.length} />
                <ul className={scriptGrid}>
                  {shownOwn.map((script) => (
                    <li key={script.id}>
                      <ScriptCard script={script} />
                    </li>
                  ))}
                </ul>
                <div className="grid *:mt-3">
                  <MoreButton list={own} />
                </div>
              </section>
            )}
            {shown.map((category) => (
              <section key={category.id} aria-labelledby={`category-${category.id}`}>
                <GroupHead
                  id={`category-${category.id}`}
                  title={category.title}
                  count={category.scripts.length}
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
                {category.scripts.length === 0 ? (
                  <p className="text-muted">{messages.categoryEmpty}</p>
                ) : (
                  <ul className={scriptGrid}>
                    {category.scripts.map((script) => (
                      <li key={script.id}>
                        <ScriptCard script={script} category={category} />
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            ))}
            {isNothing &&
              (isFiltered && !(chosen === ownKey && q === undefined) ? (
                <EmptyState
                  icon={<SearchX aria-hidden />}
                  title={messages.noneTitle}
                  text={messages.noneText}
                  action={<Button onPress={() => go({ q: undefined, category: undefined })}>{messages.clear}</Button>}
                />
              ) : (
                <EmptyState
                  icon={<ScrollText aria-hidden />}
                  title={chosen === ownKey ? messages.noOwnTitle : messages.emptyTitle}
                  text={chosen === ownKey ? messages.noOwnText : messages.emptyText}
                  action={write}
                />
              ))}
            {(mayWrite || mayBegin) && !isFiltered && (
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
                <Button icon={<Plus aria-hidden />} onPress={() => setOpen({ kind: 'category' })}>
                  {messages.addCategory}
                </Button>
                {mayBegin && <p className="min-w-48 flex-1 text-muted">{messages.ownLibrary}</p>}
              </div>
            )}
          </>
        )}
      </div>
      {open?.kind === 'script' && <ScriptDialog category={open.category} onClose={() => setOpen(null)} />}
      {open?.kind === 'category' && <CategoryDialog category={open.category} onClose={() => setOpen(null)} />}
    </>
  )
}

const Chips = ({
  categories,
  hasOwn,
  chosen,
  onChoose,
}: {
  categories: readonly Category[]
  hasOwn: boolean
  chosen: string | undefined
  onChoose: (category: string | undefined) => void
}) => (
  <div
    role="group"
    aria-label={messages.categories}
    className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0"
  >
    <Chip isOn={chosen === undefined} onPress={() => onChoose(undefined)}>
      {messages.all}
    </Chip>
    {hasOwn && (
      <Chip isOn={chosen === ownKey} onPress={() => onChoose(ownKey)}>
        {messages.own}
      </Chip>
    )}
    {categories.map((category) => (
      <Chip key={category.id} isOn={chosen === category.id} onPress={() => onChoose(category.id)}>
        <CategoryPicture category={category} className="-ml-1.5 size-5 rounded-full!" />
        {category.title}
      </Chip>
    ))}
  </div>
)

const Chip = ({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: ReactNode }) => {
  const ref = useRef<HTMLButtonElement>(null)
  // On a phone the chosen one may lie beyond the edge.
  useEffect(() => {
    if (isOn) ref.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOn])
  return (
    <button
      ref={ref}
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={cx(
        'touch inline-flex h-9 shrink-0 scroll-mx-4 items-center gap-2 rounded-full border px-3.5 whitespace-nowrap',
        isOn ? 'border-transparent bg-ink text-surface' : 'border-edge/60 bg-surface text-ink hover:bg-sunken',
      )}
    >
      {children}
    </button>
  )
}

const GroupHead = ({
  id,
  title,
  count,
  category,
  actions,
}: {
  id: string
  title: string
  count: number
  category?: Category
  actions?: ReactNode
}) => (
  <div className="mb-3 flex items-center gap-2.5">
    {category && <CategoryPicture category={category} className="size-8" />}
    <h2 id={id} className="min-w-0 text-base [overflow-wrap:anywhere]">
      {title}
    </h2>
    <span className="figures text-muted">{count}</span>
    {category && !category.active && <Badge tone="warn">{messages.hidden}</Badge>}
    <span aria-hidden className="ruler ml-1 h-2 flex-1 self-end" />
    {actions && <span className="-my-1 flex">{actions}</span>}
  </div>
)

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

const ownKey = 'own'
