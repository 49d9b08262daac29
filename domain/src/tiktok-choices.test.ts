import { expect, it } from 'vitest'
import { noTiktokChoices, tiktokLabel, tiktokProblems, type TiktokChoices } from './tiktok-choices.ts'

const agreed: TiktokChoices = { ...noTiktokChoices, agrees: true }

it('nothing is chosen beforehand, and each demand of TikTok’s is asked for by itself', () => {
  expect(noTiktokChoices).toEqual({ mode: 'direct', allows: [], isCommercial: false, discloses: [], agrees: false })
  expect(tiktokProblems(undefined, undefined)).toEqual([
    'Choose who may see it on TikTok.',
    'Agree to TikTok’s terms, or the video is not posted there.',
  ])
  expect(tiktokProblems(agreed, 'SELF_ONLY')).toEqual([])
  expect(tiktokProblems({ ...agreed, isCommercial: true }, 'PUBLIC_TO_EVERYONE')).toEqual([
    'Say whom it promotes on TikTok: your own brand, a third party, or both.',
  ])
})

it('a paid partnership is shown to more than oneself, and one’s own brand may be shown to nobody else', () => {
  const of = (discloses: TiktokChoices['discloses'], privacy: string) =>
    tiktokProblems({ ...agreed, isCommercial: true, discloses }, privacy)
  expect(of(['paid'], 'SELF_ONLY')).toEqual([
    'TikTok shows no paid partnership to you alone. Choose who else may see it.',
  ])
  expect([of(['own'], 'SELF_ONLY'), of(['own', 'paid'], 'MUTUAL_FOLLOW_FRIENDS')]).toEqual([[], []])
})

it('choices in which nobody says that it is commercial name nobody whom it promotes', () => {
  for (const discloses of [['own'], ['paid'], ['own', 'paid']] as const)
    expect(tiktokProblems({ ...agreed, discloses }, 'SELF_ONLY')).toEqual([
      'Say that it is commercial on TikTok, or do not say whom it promotes.',
    ])
})

it('a video for the inbox asks for no choice, since the app does', () => {
  expect(tiktokProblems({ ...noTiktokChoices, mode: 'inbox' }, undefined)).toEqual([])
})

it('the label is the one that TikTok says it will show', () => {
  const of = (discloses: TiktokChoices['discloses'], isCommercial = true) =>
    tiktokLabel({ ...agreed, isCommercial, discloses })
  expect([of([]), of(['own']), of(['paid']), of(['own', 'paid']), of(['own'], false)]).toEqual([
    null,
    'Promotional content',
    'Paid partnership',
    'Paid partnership',
    null,
  ])
})
