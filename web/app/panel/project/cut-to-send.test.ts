import { expect, test } from 'vitest'
import { cutToSend } from './cut-to-send.ts'
import { messages } from './messages.ts'

const video = { phase: 'ready', asset: { type: 'video' } } as const
const bRoll = { phase: 'ready', asset: { type: 'video', isBRollOnly: true } } as const
const sound = { phase: 'ready', asset: { type: 'audio' } } as const
const onItsWay = { phase: 'sending', asset: undefined } as const

test('where there is B-roll alone, no file goes to approval, and the panel says why', () => {
  expect(cutToSend([bRoll])).toEqual({ newest: undefined, whyNot: messages.cutBRollOnly })
  expect(cutToSend([])).toMatchObject({ newest: undefined, whyNot: messages.sendNeeds })
})

test('the newest file that is no B-roll goes to approval, and B-roll that came after it does not', () => {
  expect(cutToSend([video, bRoll])).toEqual({ newest: video, whyNot: null })
  expect(cutToSend([bRoll, video])).toEqual({ newest: video, whyNot: null })
  expect(cutToSend([video, onItsWay])).toMatchObject({ newest: onItsWay, whyNot: null })
  expect(cutToSend([video, { phase: 'failed', asset: undefined }])).toMatchObject({ newest: video, whyNot: null })
  expect(cutToSend([video, sound])).toMatchObject({ newest: sound, whyNot: messages.cutNoPicture })
})
