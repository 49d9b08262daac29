import { expect, it } from 'vitest'
import { panelAddress } from './panel-address.ts'

it('after a sign-in people are carried to pages of the panel alone, however the link is written', () => {
  for (const next of ['/panel', '/panel/profile', '/panel?tab=x', '/panel/projects/1?show=v1#words', '/panel/a/../b'])
    expect(panelAddress(next), next).toBe(next.replace('/a/..', ''))
  for (const next of [
    undefined,
    '',
    '/',
    '/panels',
    '//evil.test/panel',
    '/\\evil.test/panel',
    'https://evil.test/panel',
    'javascript:alert(1)//panel',
    '/panel/..//evil.test',
    '/panel/%2e%2e/%2E%2E/identity/sign-out',
    '/panel/../identity/sign-out',
  ])
    expect(panelAddress(next), next).toBe(null)
})
