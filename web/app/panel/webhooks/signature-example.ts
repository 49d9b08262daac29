/** As in docs/webhooks.md, which a test runs against what is really sent. */
export const example = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the request's body as it came, before any JSON.parse
export const isOurs = (secret, headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': sent, 'webhook-signature': signatures } = headers
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(sent)) < 300)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${sent}.\${body}\`).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`
