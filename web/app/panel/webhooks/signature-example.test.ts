import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { example } from './signature-example.ts'

test('the example of the panel is the one of docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  expect(page).toContain(`\`\`\`js\n${example}\n\`\`\``)
})
