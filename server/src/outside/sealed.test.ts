import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { SealBroken, sealWith } from './sealed.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

it('a sealed text opens for the same thing alone, and no byte of it can be changed', () => {
  const seal = sealWith([first])
  const sealed = seal.seal('a token', 'connection 1')
  expect(sealed).not.toContain('token')
  expect(seal.seal('a token', 'connection 1')).not.toBe(sealed)
  expect(seal.open(sealed, 'connection 1')).toBe('a token')
  expect(() => seal.open(sealed, 'connection 2')).toThrow(SealBroken)
  const parts = sealed.split('.')
  for (const [index, part] of parts.entries()) {
    const changed = parts.with(index, (part[0] === 'A' ? 'B' : 'A') + part.slice(1)).join('.')
    expect(() => seal.open(changed, 'connection 1'), `part ${index}`).toThrow(SealBroken)
  }
})

it('a new key seals, the old one still opens what it sealed, and a lost one opens nothing', () => {
  const old = sealWith([first]).seal('a token', 'x')
  const both = sealWith([second, first])
  expect([both.open(old, 'x'), both.isOld(old), both.isOld(both.seal('a token', 'x'))]).toEqual([
    'a token',
    true,
    false,
  ])
  expect(() => sealWith([second]).open(old, 'x')).toThrow(SealBroken)
})
