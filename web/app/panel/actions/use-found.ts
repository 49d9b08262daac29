import { useDeferredValue } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { tenants } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { paths, projectPath } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { messages } from './messages.ts'

/** A thing that was found, and its address. */
export type Found = { id: string; kind: keyof typeof messages.kinds; label: string; detail: string; to: string }

const shownOfEach = 5

/** What this person may see of what has these words in its name; each service call is asked only by who may make it. */
export const useFound = (typed: string): { items: readonly Found[]; isPending: boolean } => {
  const words = useDeferredValue(typed.trim())
  const user = useUser()
  const isAsked = words.length >= 2
  const asked = (field: string) => ({ query: { perPage: shownOfEach, wheres: [`${field}:contains:${words}`] } })
  const shared = (may: boolean) => ({ enabled: isAsked && may, placeholderData: keepPreviousData, retry: false })
  const videos = useQuery({ ...query(projects.list, asked('search')), ...shared(true) })
  const people = useQuery({ ...query(accounts.search, asked('name')), ...shared(user.rooms.includes('people')) })
  const reads = user.rooms.includes('scripts')
  const own = useQuery({ ...query(scripts.list, asked('title')), ...shared(reads) })
  // One answer, which the page of scripts keeps, too: its titles are looked through here.
  const library = useQuery({ ...query(scripts.library, {}), ...shared(reads), staleTime: 5 * 60_000 })
  const companies = useQuery({ ...query(tenants.list, asked('name')), ...shared(useMay('tenant.list')) })
  if (!isAsked) return { items: [], isPending: false }
  const written = own.data?.items ?? []
  // Whoever writes for the library finds theirs once.
  const read = ofLibrary(library.data, words).filter(({ id }) => written.every((one) => one.id !== id))
  const scriptsFound = [...written, ...read.slice(0, shownOfEach)]
  const items: Found[] = [
    ...(videos.data?.items ?? []).map(({ id, title, userName }) => ({
      id,
      kind: 'video' as const,
      label: title,
      detail: userName ?? '',
      to: projectPath(id),
    })),
    ...(people.data?.items ?? []).map(({ id, name, email }) => ({
      id,
      kind: 'person' as const,
      label: name,
      detail: email,
      to: paths.person.replace('$personId', id),
    })),
    ...scriptsFound.map(({ id, title }) => ({
      id,
      kind: 'script' as const,
      label: title,
      detail: '',
      to: paths.script.replace('$scriptId', id),
    })),
    ...(companies.data?.items ?? []).map(({ id, name }) => ({
      id,
      kind: 'company' as const,
      label: name,
      detail: '',
      to: paths.tenant.replace('$tenantId', id),
    })),
  ]
  return { items, isPending: [videos, people, own, library, companies].some(({ isFetching }) => isFetching) }
}

const ofLibrary = (library: CallAnswer<typeof scripts.library> | undefined, words: string) =>
  (library?.categories ?? [])
    .flatMap((category) => category.scripts)
    .filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()))
