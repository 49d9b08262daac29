// npm run doctor: looks at every condition of production and says what to do. It starts nothing and changes nothing.
import { appUrl as derivedAppUrl } from '../postgres/app-role.ts'
import { findPostgres } from '../postgres/postgres.ts'
import { localWords } from '../kernel/network.ts'
import { checkConditions } from './start-conditions.ts'
import { inspectConfig, type Config } from '../kernel/config.ts'
import { explained, unmet } from './conditions.ts'

const { config, problems } = inspectConfig(process.env)
const outcomes = await checkConditions(config, await databaseOf(config))
const refused = unmet(outcomes, 'refuses to start')
const notReady = unmet(outcomes, 'is not ready')

console.log(
  config.isHosted
    ? `This service is for others (${config.publicUrl}).\n`
    : `This service is for this machine alone. ${localWords}\nNODE_ENV=production npm run doctor looks at it as one for others.\n`,
)
for (const problem of problems) console.log(`✗ configuration: ${problem}`)
for (const one of outcomes) {
  const { condition, state, level, says } = one
  if (state === 'unmet' && level !== null)
    console.log(`${level === 'says so' ? '!' : '✗'} ${explained(one)}\n    The service ${level}.`)
  else {
    const matters = state === 'unmet' ? ' (matters only where others use it)' : ''
    console.log(`${state === 'met' ? '✓' : '·'} ${condition.name}: ${says}${matters}`)
  }
}
console.log(`\n${conclusion()}`)
process.exitCode = problems.length + refused.length + notReady.length > 0 ? 1 : 0

function conclusion(): string {
  if (problems.length + refused.length > 0) return 'The service would refuse to start.'
  return notReady.length > 0
    ? 'The service would start, and say that it is not ready.'
    : 'Nothing keeps the service from its work.'
}

/** The product's own address of a database that can be asked; undefined where the embedded one does not run. */
async function databaseOf({ databaseUrl, databaseAppUrl, dataDir }: Config): Promise<string | undefined> {
  if (databaseAppUrl) return databaseAppUrl
  const ownerUrl = databaseUrl ?? (await findPostgres(dataDir).catch(() => undefined))
  return ownerUrl && derivedAppUrl(ownerUrl)
}
