import { inLineForTerminal } from '@clear-to-post/contract/visible'
import { appUrl as derivedAppUrl } from '../postgres/app-role.ts'
import { findPostgres } from '../postgres/postgres.ts'
import { localWords } from '../kernel/network.ts'
import { checkConditions } from './start-conditions.ts'
import { inspectConfig, type Config } from '../kernel/config.ts'
import { explained, unmet } from './condition-outcomes.ts'

/**
 * What `npm run doctor` says of a service with this environment, and whether nothing keeps it from its work. Programs are
 * looked for where this process would find them.
 */
export const doctorReport = async (
  env: Record<string, string | undefined>,
): Promise<{ said: string; isFit: boolean }> => {
  const { config, problems } = inspectConfig(env)
  const outcomes = await checkConditions(config, await databaseOf(config))
  const refused = unmet(outcomes, 'refuses to start')
  const notReady = unmet(outcomes, 'is not ready')
  const lines = [
    config.isHosted
      ? `This service is for others (${config.publicUrl}).\n`
      : `This service is for this machine alone. ${localWords}\nNODE_ENV=production npm run doctor looks at it as one for others.\n`,
    ...problems.map((problem) => `✗ configuration: ${inLineForTerminal(problem)}`),
  ]
  for (const one of outcomes) {
    const { condition, state, level, says } = one
    if (state === 'unmet' && level !== null)
      lines.push(`${level === 'says so' ? '!' : '✗'} ${explained(one)}\n    The service ${level}.`)
    else {
      const matters = state === 'unmet' ? ' (matters only where others use it)' : ''
      lines.push(`${state === 'met' ? '✓' : '·'} ${condition.name}: ${inLineForTerminal(says)}${matters}`)
    }
  }
  const refuses = problems.length + refused.length > 0
  lines.push(`\n${conclusion({ refuses, isReady: notReady.length === 0 })}`)
  return { said: lines.join('\n'), isFit: !refuses && notReady.length === 0 }
}

const conclusion = ({ refuses, isReady }: { refuses: boolean; isReady: boolean }): string => {
  if (refuses) return 'The service would refuse to start.'
  return isReady ? 'Nothing keeps the service from its work.' : 'The service would start, and say that it is not ready.'
}

/** The product's own address of a database that can be asked; undefined where the embedded one does not run. */
const databaseOf = async ({ databaseUrl, databaseAppUrl, dataDir }: Config): Promise<string | undefined> => {
  if (databaseAppUrl) return databaseAppUrl
  const ownerUrl = databaseUrl ?? (await findPostgres(dataDir).catch(() => undefined))
  return ownerUrl && derivedAppUrl(ownerUrl)
}
