import { openReader } from '../kernel/database.ts'
import { explained, evaluate, unmet, type Outcome } from './condition-outcomes.ts'
import { print } from './terminal.ts'
import type { Config } from '../kernel/config.ts'

/**
 * Looks at every condition of production, with the database of `appUrl` where one is given. Throws one sentence after the
 * other when the service must not start: `problems` of the configuration, and each condition that refuses.
 */
export const refuseToStartUnfit = async (
  config: Config,
  problems: readonly string[],
  appUrl?: string,
): Promise<readonly Outcome[]> => {
  const outcomes = await checkConditions(config, appUrl)
  const refused = unmet(outcomes, 'refuses to start')
  if (problems.length + refused.length === 0) return outcomes
  const parts = [
    ...(problems.length > 0 ? ['The configuration is not right:', ...problems.map((problem) => `  ${problem}`)] : []),
    ...(refused.length > 0
      ? ['Others would use this service, and it is not fit for that:', ...refused.map((one) => `  ${explained(one)}`)]
      : []),
    'npm run doctor looks at everything without starting anything.',
  ]
  throw new Error(parts.join('\n'))
}

/** Says aloud what does not keep the service from starting. */
export const printUnmet = (outcomes: readonly Outcome[]): void => {
  for (const level of ['is not ready', 'says so'] as const)
    for (const one of unmet(outcomes, level))
      print(`! ${level === 'is not ready' ? 'Not ready: ' : ''}${explained(one)}\n`)
}

/** Every condition, with a connection of its own that only looks. */
export const checkConditions = async (config: Config, appUrl: string | undefined): Promise<Outcome[]> => {
  const reader = appUrl === undefined ? undefined : openReader(appUrl)
  try {
    return await evaluate({ config, now: new Date(), database: reader })
  } finally {
    await reader?.close()
  }
}
