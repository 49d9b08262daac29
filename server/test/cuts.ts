import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PaymentAway, payments, usePayments, type Payments } from '../src/outside/payments/payments.ts'
import type { Service } from './service.ts'

/**
 * Cuts what the service does between two calls to its payment provider: as if its process were killed there, before or after the
 * provider did what it was asked for, or as if the answer alone were lost.
 */
export const cuts = ['killed before', 'killed after', 'answer lost'] as const
export type Cut = (typeof cuts)[number]

/** A call that was made of the provider: the file of ours it was made in, and its name. */
export type Made = string

const folder = new URL('../src/', import.meta.url).pathname

/** What only reads changes nothing there: whether its answer comes or not is one and the same. */
const reading: readonly string[] = [
  ...(['kind', 'says', 'readEvent', 'clockAhead', 'previewChange', 'read', 'everything', 'missed'] as const),
  ...(['findPurchase', 'isGiven', 'runningOf'] as const),
] satisfies (keyof Payments)[]
export const isReading = (made: Made): boolean => reading.includes(made.split(' ')[1]!)

/** Every place of the service's source that asks the provider for a change: where, and for which. */
export const placesThatAsk = (): Made[] => {
  const places = new Set<Made>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /\.test\.ts$|^(?:outside|stand-ins)\//.test(file)) continue
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/payments\(\)\s*\.(\w+)\(/g))
      if (!reading.includes(name!)) places.add(`${file} ${name}`)
  }
  return [...places].toSorted()
}

/**
 * Does something, and answers the calls that it made of the provider. With `at` it is cut at that one of them; from then on nothing
 * of a killed process reaches the database or the provider any more.
 */
export const cutAt = async (
  { database }: Pick<Service, 'database'>,
  work: () => Promise<unknown>,
  at?: { call: number; cut: Cut },
): Promise<Made[]> => {
  const [made, real]: [Made[], Payments] = [[], payments()]
  const living = { asSystem: database.asSystem, inTenant: database.inTenant, readOnly: database.readOnly }
  let isDead = false
  const unlessDead =
    <A extends unknown[], R>(ask: (...of: A) => R) =>
    (...of: A): R => {
      if (isDead) throw new Error('killed')
      return ask(...of)
    }
  const dies = () => {
    isDead = true
    return new Error('killed')
  }
  const watched = new Proxy(real, {
    get: (_, name: keyof Payments) => {
      const asked = real[name]
      if (typeof asked !== 'function' || name === 'everything' || name === 'missed') return asked
      return async (...of: never[]) => {
        if (isDead) throw new Error('killed')
        const place = new Error().stack!.split('\n').find((line) => line.includes(folder))
        made.push(`${place?.slice(place.indexOf(folder) + folder.length).replace(/:.*/, '') ?? 'a test'} ${name}`)
        const isHere = at !== undefined && made.length - 1 === at.call
        if (isHere && at.cut === 'killed before') throw dies()
        const answer = await (asked as (...of: never[]) => Promise<unknown>)(...of)
        if (isHere && at.cut === 'killed after') throw dies()
        if (isHere) throw new PaymentAway('the answer was lost')
        return answer
      }
    },
  })
  usePayments(watched)
  Object.assign(database, {
    asSystem: unlessDead(living.asSystem),
    inTenant: unlessDead(living.inTenant),
    readOnly: unlessDead(living.readOnly),
  })
  try {
    await work().catch((error: unknown) => {
      if (!at) throw error
    })
  } finally {
    Object.assign(database, living)
    usePayments(real)
  }
  return made
}
