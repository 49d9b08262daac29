import { afterAll, beforeAll, expect, it } from 'vitest'
import { heard } from './row-locks.ts'
import { makeOfficer, openService, type Service } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it('the guard of row locks hears a request’s statements, also after its body was read', async () => {
  const officer = await makeOfficer(service)
  const email = `${officer.id}@row-locks.test`
  await service.app.inject({ method: 'POST', url: '/identity/sign-in/password', payload: { email, password: 'wrong' } })
  const headers = { authorization: `Bearer ${officer.token}` }
  await service.app.inject({ method: 'POST', url: '/api/accounts/user/createToken/', headers })
  expect([...heard]).toEqual(expect.arrayContaining(['/identity/sign-in/password', '/api/accounts/user/createToken/']))
})
