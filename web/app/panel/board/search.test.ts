import { expect, it } from 'vitest'
import { statusValues, Status } from '@clear-to-post/domain/workflow'
import { inputOf } from './columns.ts'
import { listOrders, ordersOf, readBoardSearch } from './search.ts'

it('an address of the list keeps each of its orders, and no other', () => {
  for (const order of listOrders) expect(readBoardSearch({ view: 'list', order })).toEqual({ view: 'list', order })
  expect(readBoardSearch({ order: 'title:asc' })).toEqual({})
})

it('the order of promises is offered for open work and for all of it, and asked for as it is', () => {
  const promised = statusValues.filter((status) => ordersOf(status).includes('dueBy:asc'))
  expect(new Set(promised)).toEqual(
    new Set([Status.submitted, Status.inProgress, Status.waitingApproval, Status.denied, Status.revisioning]),
  )
  expect(ordersOf(undefined)).toContain('dueBy:asc')
  expect(inputOf(null, { order: 'dueBy:asc' }).query.orderBy).toBe('dueBy:asc')
})
