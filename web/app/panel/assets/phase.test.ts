import { expect, it } from 'vitest'
import { phaseOfUpload } from './phase.ts'

it('a file that this tab has sent whole is not said to come from another tab', () => {
  // The list was asked for before the last byte arrived.
  expect(phaseOfUpload({ state: 'sent' }, { state: 'uploading' })).toBe('sent')
  expect(phaseOfUpload({ state: 'sent' }, { state: 'checking' })).toBe('checking')
  expect(phaseOfUpload({ state: 'elsewhere' }, { state: 'uploading' })).toBe('elsewhere')
  expect(phaseOfUpload({ state: 'sending' }, undefined)).toBe('sending')
})
