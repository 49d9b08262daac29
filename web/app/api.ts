import { useCallback, useState } from 'react'
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
import { PersonLeft, send } from './send.ts'
import { onSignedOut, personHere } from './session.ts'

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
export const useCall = <C extends CallShape, Pressed = unknown>(
  shape: C,
  /** What `onMutate` answers at the press, `onSuccess` is handed. */
  options: Omit<UseMutationOptions<CallAnswer<C>, Error, CallInput<C>, Pressed>, 'mutationFn'> = {},
) => {
  const [calls] = useState(pressedCalls)
  const mutation = useMutation({
    ...options,
    onSettled: (...outcome) => {
      calls.end(outcome[2])
      return options.onSettled?.(...outcome)
    },
    mutationFn: (input: CallInput<C>) => calls.run(input, (own) => send(shape, input, own)),
    retry: (failures, error) => failures < 3 && isWorthRepeating(error),
    retryDelay: againAfter,
  })
  const { mutate: run } = mutation
  // The second click of a double click comes before the button shows that it waits.
  const mutate = useCallback(
    (...asked: Parameters<typeof run>) => {
      if (calls.press(asked[0])) run(...asked)
    },
    [run, calls],
  )
  return { ...mutation, mutate }
}

/**
 * The calls of one button: which are under way and whose they are, from the press to the end of every repeat; and the request id of
 * each whose answer is not known.
 */
export const pressedCalls = () => {
  const underWay = new Map<string, string | null>()
  const ids = new Map<string, string>()
  return {
    /** Whether it begins: false while a call with the same input is under way. */
    press: (input: unknown): boolean => {
      const written = JSON.stringify(input)
      if (underWay.has(written)) return false
      underWay.set(written, personHere())
      return true
    },
    /** Once or again, as whoever pressed. */
    run: async <Answer>(
      input: unknown,
      ask: (own: { requestId: string; as: string | null }) => Promise<Answer>,
    ): Promise<Answer> => {
      const written = JSON.stringify(input)
      if (!underWay.has(written)) underWay.set(written, personHere())
      const as = underWay.get(written) ?? null
      const key = `${as} ${written}`
      const id = ids.get(key) ?? requestId()
      ids.set(key, id)
      try {
        const answer = await ask({ requestId: id, as })
        ids.delete(key)
        return answer
      } catch (error) {
        // An answer of any kind ends the id.
        if (error instanceof Refusal && error.code !== 'request.id-running' && !(error instanceof PersonLeft))
          ids.delete(key)
        throw error
      }
    },
    end: (input: unknown): void => void underWay.delete(JSON.stringify(input)),
  }
}

/** After how many milliseconds a call is repeated, by how often it has failed before. */
export const againAfter = (failures: number): number => Math.min(1000 * 2 ** failures, 8000)

/** Whether the same call may be answered otherwise in a moment. */
export const isWorthRepeating = (error: unknown): boolean =>
  !(error instanceof Refusal) || error.code === 'request.id-running' || error.kind === 'unavailable'

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
