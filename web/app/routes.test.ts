import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { paths } from './paths.ts'
import { router } from './routes.tsx'

it('an address in capitals is not the page of that name', () => {
  router.update({ history: createMemoryHistory() })
  const pageAt = (address: string) => router.getMatchedRoutes(address)[2]?.fullPath
  for (const path of [paths.record, paths.login, paths.board]) {
    expect(pageAt(path)).toBe(path)
    expect(pageAt(path.toUpperCase())).not.toBe(path)
  }
  expect(pageAt('/panel/new/RECORD')).not.toBe(paths.record)
})
