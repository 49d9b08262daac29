import { expect, test } from 'vitest'
import { reasonOf } from './webhooks.ts'

const failing = (code: string, message = 'connect failed') => Object.assign(new Error(message), { code })

test('a message that did not reach its program says why in words, and the unknown as the machine says it', () => {
  expect(reasonOf(failing('ENOTFOUND', 'queryA ENOTFOUND no-such-host.invalid'))).toMatch(/name .* was not found/)
  expect(reasonOf(failing('ECONNREFUSED'))).toMatch(/nothing takes connections/)
  for (const code of ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    expect(reasonOf(failing(code))).toMatch(/certificate is not valid/)
  expect(reasonOf(failing('ERR_SSL_WRONG_VERSION_NUMBER'))).toMatch(/not speak HTTPS/)
  expect(reasonOf(failing('ESOMETHING', 'something else'))).toBe('something else')
})
