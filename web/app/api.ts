import { useCallback, useRef } from 'react'
import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  type UseMutationOptions,
} from '@tanstack/react-query'
import { requestId } from '@clear-to-post/contract/client'
import type { CallAnswer, CallInput, CallShape, PageRules } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { send } from './send.ts'
import { onSignedOut } from './session.ts'

export { send }

/**
 * Options for `useQuery`/`useSuspenseQuery` of a GET call.
 * The key is `[room, path, input]`, so that `queryClient.invalidateQueries({ queryKey: ['projects'] })` reaches a room.
 */
export const query = <C extends CallShape>(shape: C, input: CallInput<C>) =>
  queryOptions({
    queryKey: keyOf(shape, input),
    queryFn: ({ signal }) => send(shape, input, { signal }),
  })

export const keyOf = <C extends CallShape>(shape: C, input: CallInput<C>) =>
  [shape.path.split('/')[1] ?? '', shape.path, input] as const

/** A list of the contract page by page: `items` is undefined until the first page is there; ask for more by `fetchNextPage`. */
export const usePages = <C extends CallShape & { page: PageRules }>(
  shape: C,
  asked: { perPage?: number; orderBy?: string; wheres?: string[] },
  { enabled = true, params, refetchInterval }: { enabled?: boolean; params?: object; refetchInterval?: number } = {},
) => {
  type Page = { items: CallAnswer<C> extends { items: (infer Item)[] } ? Item[] : never; nextCursor: string | null }
  const input = (cursor?: string) =>
    ({ ...(params && { params }), query: { ...asked, ...(cursor ? { cursor } : {}) } }) as unknown as CallInput<C>
  const list = useInfiniteQuery({
    queryKey: [...keyOf(shape, input()), 'pages'] as const,
    queryFn: ({ pageParam, signal }) => send(shape, input(pageParam), { signal }) as Promise<Page>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // What was found before stays while other words are looked for.
    placeholderData: keepPreviousData,
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
  })
  return { ...list, items: list.data?.pages.flatMap((page) => page.items as Page['items'][number][]) }
}

/**
 * A mutation of the contract. Pressing again after a lost connection repeats the same request id,
 * so the service answers the first result instead of doing the work twice; an answer of any kind ends the id.
 * While a call is under way, `mutate` with the same input does nothing: a double click is one.
 */
export const useCall = <C extends CallShape>(
  shape: C,
  options: Omit<UseMutationOptions<CallAnswer<C>, Error, CallInput<C>>, 'mutationFn'> = {},
) => {
  const open = useRef<{ input: string; requestId: string } | null>(null)
  const underWay = useRef(new Set<string>())
  const mutation = useMutation({
    ...options,
    onSettled: (...outcome) => {
      underWay.current.delete(JSON.stringify(outcome[2]))
      return options.onSettled?.(...outcome)
    },
    mutationFn: async (input: CallInput<C>) => {
      const written = JSON.stringify(input)
      if (open.current?.input !== written) open.current = { input: written, requestId: requestId() }
      try {
        const answer = await send(shape, input, { requestId: open.current.requestId })
        open.current = null
        return answer
      } catch (error) {
        if (error instanceof Refusal && error.code !== 'request.id-running') open.current = null
        throw error
      }
    },
    retry: (failures, error) =>
      failures < 3 &&
      (!(error instanceof Refusal) || error.code === 'request.id-running' || error.kind === 'unavailable'),
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
  })
  const { mutate: run } = mutation
  // The second click of a double click comes before the button shows that it waits.
  const mutate = useCallback(
    (...asked: Parameters<typeof run>) => {
      const written = JSON.stringify(asked[0])
      if (underWay.current.has(written)) return
      underWay.current.add(written)
      run(...asked)
    },
    [run],
  )
  return { ...mutation, mutate }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal is an answer; only silence and a service that catches its breath are worth asking again.
      retry: (failures, error) => failures < 2 && (!(error instanceof Refusal) || error.kind === 'unavailable'),
    },
    mutations: { networkMode: 'always' },
  },
})

onSignedOut(() => queryClient.clear())
