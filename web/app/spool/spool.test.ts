import { expect, it } from 'vitest'
import { besideMemory, inMemory } from './memory.ts'
import { Spool } from './spool.ts'
import type { TakeBytes } from './take.ts'

const about = { userId: 'officer', fileName: 'take.mp4', type: 'video/mp4', begunAt: 0 }

it('a disk that fills puts the next take into memory, and what is kept on it stays there and is still read', async () => {
  const [memory, disk] = [inMemory(), inMemory()]
  let isFull = false
  const files: TakeBytes = {
    ...disk.parts,
    place: 'database',
    tryOut: async () => {
      if (isFull) throw new DOMException('', 'QuotaExceededError')
    },
  }
  const spool = new Spool(besideMemory(memory.notes, disk.notes), [files, memory.parts])
  await spool.choosePlace()
  await spool.begin({ ...about, id: 'before' })
  await spool.append('before', new Blob(['kept']), 1000)

  isFull = true
  await spool.choosePlace()
  expect([spool.place, spool.refusal]).toMatchObject(['memory', { name: 'QuotaExceededError' }])
  await spool.begin({ ...about, id: 'after' })
  await spool.append('after', new Blob(['held']), 1000)
  expect((await spool.takesOf('officer')).map(({ id, place }) => `${id} ${place}`).toSorted()).toEqual([
    'after memory',
    'before database',
  ])
  expect((await disk.notes.all()).map(({ id }) => id)).toEqual(['before'])
  expect(await Promise.all(['before', 'after'].map(async (id) => (await spool.file(id))?.text()))).toEqual([
    'kept',
    'held',
  ])

  isFull = false
  await spool.choosePlace({ isUsedUp: true })
  expect([spool.place, spool.refusal]).toMatchObject(['memory', { name: 'QuotaExceededError' }])
  await spool.choosePlace()
  expect([spool.place, spool.refusal]).toEqual(['database', undefined])
  await spool.drop('after')
  expect((await spool.takesOf('officer')).map(({ id }) => id)).toEqual(['before'])
})
