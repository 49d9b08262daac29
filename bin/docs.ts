// npm run docs: writes what is generated from the code. The test fails when these files are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { accessPage, openapi, workflowPage } from '../server/src/http/openapi.ts'
import { settingsPage } from '../server/src/kernel/settings.ts'
import { conditionsPage } from '../server/src/main/condition-outcomes.ts'
import { decisionsPage } from './decisions.ts'
import { withPackages } from './licences.ts'
import { noticesText } from './notices.ts'

const root = resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string }
mkdirSync(resolve(root, 'docs/generated'), { recursive: true })
writeFileSync(resolve(root, 'docs/generated/openapi.json'), `${JSON.stringify(openapi(version), null, 1)}\n`)
writeFileSync(resolve(root, 'docs/generated/workflow.md'), workflowPage())
writeFileSync(resolve(root, 'docs/generated/access.md'), accessPage())
writeFileSync(resolve(root, 'docs/decisions/README.md'), decisionsPage())
const operations = resolve(root, 'docs/operations.md')
const pages = { conditions: conditionsPage(), settings: settingsPage() }
for (const [name, text] of Object.entries(pages)) {
  const [before, rest = ''] = readFileSync(operations, 'utf8').split(
    new RegExp(`(?<=<!-- ${name}: npm run docs writes what follows -->\\n)`),
  )
  const after = rest.slice(rest.indexOf(`<!-- ${name}: end -->`))
  writeFileSync(operations, `${before}\n${text}\n\n${after}`)
}
const thirdParty = resolve(root, 'THIRD-PARTY.md')
writeFileSync(thirdParty, withPackages(readFileSync(thirdParty, 'utf8')))
writeFileSync(resolve(root, 'docs/generated/notices.txt'), noticesText())
console.log(
  'Wrote docs/generated, the packages of THIRD-PARTY.md, the index of docs/decisions, and the conditions and settings in docs/operations.md',
)
