import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { otherOperations } from './other-operations.ts'
import { accessPage, openapi, workflowPage } from './openapi.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

it('the generated pages match this code (npm run docs writes them)', () => {
  expect(read('docs/generated/workflow.md')).toBe(workflowPage())
  expect(read('docs/generated/access.md')).toBe(accessPage())
  expect(JSON.parse(read('docs/generated/openapi.json'))).toEqual(JSON.parse(JSON.stringify(openapi(version))))
})

it('every schema that the reference names is defined with its properties', () => {
  const text = JSON.stringify(openapi(version))
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, { properties?: object }> } }
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(components.schemas[name!], name).toHaveProperty('properties')
})

it('every call, upload, file and event is one operation, with its path parameters declared', () => {
  const { paths } = openapi(version) as {
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; in: string }[] }>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    [...everyCall, ...otherOperations].map(({ name }) => name).sort(),
  )
  for (const { path, parameters = [] } of operations)
    expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
})
