import type { RichText } from '@atproto/api'
import { RefusedByNetwork, SilentNetwork, type Handles } from './adapter.ts'

/** Seconds in which the account's server says whose the mentioned names are; later a name stays plain. */
const mentionSeconds = 10
const askedAtOnce = 4

/**
 * The accounts that the words mention, by name, as `didOf` says: each is asked for once, a few at a time. What the server cannot
 * say is plain; a refusal of our own right, or of too much, is none about a name.
 */
export const mentionsIn = async (
  words: string,
  didOf: (handle: string, withinSeconds: number) => Promise<string>,
): Promise<Record<string, string>> => {
  const rich = await readText(words)
  const names = new Set((rich.facets ?? []).flatMap(({ features }) => features.filter(isMention).map(({ did }) => did)))
  const left = [...names]
  const found: Record<string, string> = {}
  const began = performance.now()
  const askInTurn = async (): Promise<void> => {
    for (let handle = left.shift(); handle !== undefined; handle = left.shift()) {
      const withinSeconds = mentionSeconds - (performance.now() - began) / 1000
      if (withinSeconds <= 0) return
      try {
        found[handle] = await didOf(handle, withinSeconds)
      } catch (error) {
        const isNobody = error instanceof RefusedByNetwork && error.kind === 'permanent'
        if (!isNobody && !(error instanceof SilentNetwork)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, askInTurn))
  return found
}

/** The text with its addresses, hashtags and mentions marked; a name that nobody has stays plain. `handles`: what was kept of them. */
export const richTextOf = async (words: string, handles: Handles): Promise<RichText> => {
  const accounts = new Map(Object.entries(JSON.parse(String(handles['mentions'] ?? '{}')) as Record<string, string>))
  const rich = await readText(words)
  const facets = (rich.facets ?? []).filter(({ features }) =>
    features.filter(isMention).every((feature) => {
      const did = accounts.get(feature.did)
      if (did !== undefined) feature.did = did
      return did !== undefined
    }),
  )
  if (facets.length === 0) delete rich.facets
  else rich.facets = facets
  return rich
}

/** The text with all that looks like an address, a hashtag or a mention marked. */
const readText = async (words: string): Promise<RichText> => {
  // Read with the first post: the package is a third of what a start of the server has to read.
  const api = await import('@atproto/api')
  const rich = new api.RichText({ text: words })
  rich.detectFacetsWithoutResolution()
  return rich
}

/** Before it is resolved its `did` is the name. */
const isMention = (feature: { $type?: string }): feature is { $type: string; did: string } =>
  feature.$type === 'app.bsky.richtext.facet#mention'
