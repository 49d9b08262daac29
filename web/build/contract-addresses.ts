import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { CallShape } from '@clear-to-post/contract/call'

/** A room of the contract: its file, whose calls are values. */
const contractFile = /\/contract\/src\/[\w-]+\.ts$/

/**
 * Of a call the panel needs method and address; the service reads what is sent. So each room of the contract is written for
 * the browser from its own values, without schemas, summaries and refusals: 20 kB and the making of a hundred schemas less
 * for every visitor. Whoever imports a schema as a value is told by the bundler that it is not there (`import type` is meant).
 * Fails the build when zod comes in by another way.
 */
export function contractAddresses(): Plugin {
  return {
    name: 'contract-addresses',
    apply: 'build',
    load: {
      filter: { id: contractFile },
      handler: async (id) => addressesOf((await import(pathToFileURL(id).href)) as Record<string, unknown>),
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^zod(\/|$)/ },
      handler(_id, importer) {
        this.error(
          `${importer} brings zod into the panel. Import types only, or keep what the panel uses in a file without schemas.`,
        )
      },
    },
  }
}

/**
 * What the browser is given of a contract file: its calls as `{ method, path, base }`, its plain values as they are. Null when
 * it holds functions: such a file (the client, the refusals) goes as it is written.
 */
export function addressesOf(values: Record<string, unknown>): string | null {
  const kept = Object.entries(values).filter(([, value]) => isRoom(value) || !holdsSchema(value))
  if (kept.some(([, value]) => typeof value === 'function')) return null
  return kept.map(([name, value]) => `export const ${name} = ${JSON.stringify(addresses(value))}\n`).join('')
}

const holdsSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('_zod' in value || Object.values(value).some(holdsSchema))

/** A room's calls reduced to their addresses; what is no room, as it is. */
const addresses = (value: unknown): unknown =>
  isRoom(value)
    ? Object.fromEntries(Object.entries(value).map(([name, { method, path, base }]) => [name, { method, path, base }]))
    : value

const isRoom = (value: unknown): value is Record<string, Pick<CallShape, 'method' | 'path' | 'base'>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => typeof one === 'object' && one !== null && 'method' in one && 'path' in one)
