import { setTimeout as sleep } from 'node:timers/promises'
import { inLineForTerminal } from '@clear-to-post/contract/visible'
import { sql, systemCaller } from '../kernel/database.ts'
import type { Config } from '../kernel/config.ts'
import { conditions, type Condition, type ConditionContext, type Level } from './conditions.ts'

/** One condition as it stands. `level`: what follows when it is not met. */
export type Outcome = {
  condition: Condition
  state: 'met' | 'unmet' | 'unknown'
  level: Level | null
  says: string
  details: readonly string[]
}

/** Looks at every condition at once; each has five seconds. */
export const evaluate = async (input: ConditionContext): Promise<Outcome[]> => {
  const world = await withDatabaseThatAnswers(input)
  return Promise.all(
    conditions.map(async (condition): Promise<Outcome> => {
      const level = levelOf(condition, world.config)
      try {
        const found = await withinSeconds(5, condition.find(world))
        if (!found) return { condition, level, state: 'unknown', says: 'known while the database runs', details: [] }
        const { isMet, says, details = [] } = found
        return { condition, level, state: isMet ? 'met' : 'unmet', says, details }
      } catch (error) {
        const state = condition.ofDatabase ? 'unknown' : 'unmet'
        return { condition, level, state, says: (error as Error).message || 'does not answer', details: [] }
      }
    }),
  )
}

const levelOf = ({ hosted, local, many }: Condition, { isHosted, role }: Config): Level | null => {
  const own = role === 'all' ? undefined : many?.[role]
  return own === undefined ? (isHosted ? hosted : local) : own
}

/** What only the database knows is unknown while it does not answer, and not unmet. */
const withDatabaseThatAnswers = async (world: ConditionContext): Promise<ConditionContext> => {
  const { database, ...rest } = world
  try {
    if (database)
      await withinSeconds(
        5,
        database.readOnly(systemCaller, (tx) => tx.first(sql`select 1`)),
      )
    return world
  } catch (error) {
    return { ...rest, database: undefined, databaseProblem: (error as Error).message || 'the database does not answer' }
  }
}

/** Unmet ones of a level. */
export const unmet = (outcomes: readonly Outcome[], level: Level): Outcome[] =>
  outcomes.filter((one) => one.state === 'unmet' && one.level === level)

/** An unmet condition for the terminal: what is, why it matters, what to do. */
export const explained = ({ condition: { name, why, next }, says, details }: Outcome): string =>
  [
    `${name}: ${inLineForTerminal(says)}. ${why}`,
    ...details.map((detail) => `  ${inLineForTerminal(detail)}`),
    `→ ${next}`,
  ].join('\n    ')

/** The table of docs/operations.md. */
export const conditionsPage = (): string =>
  [
    '| condition | checked | why | what to do | where others use it, the service | on your own machine |',
    '|---|---|---|---|---|---|',
    ...conditions.map(
      ({ name, checks, why, next, hosted, local }) =>
        `| **${name}** | ${checks} | ${why} | ${next} | ${hosted} | ${local ?? '–'} |`,
    ),
  ].join('\n')

const withinSeconds = async <T>(seconds: number, work: Promise<T>): Promise<T> => {
  const clock = new AbortController()
  const late = sleep(seconds * 1000, undefined, { signal: clock.signal }).then(() => {
    throw new Error(`did not answer within ${seconds} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clock.abort()
  }
}
