import { expect, test } from 'vitest'
import { z } from 'zod'
import { everyCall } from './api.ts'
import type { CallShape } from './call.ts'

/** What a change says of what it was made from. */
const moments = ['modified', 'revision', 'version', 'seq', 'cut', 'was', 'lastMessageId']

const own = 'its writer’s own, whom nobody else changes it for'
const oneValue = 'one value, which stands there whole: the last word counts'
const priced = '`shown` says what it was shown to cost'
const once = 'done once, or to what is in a state that the service asks for'

/** Calls that write and name no moment, and why. */
const without: Record<string, string> = {
  'accounts.acceptTerms': once,
  'accounts.changeEmail': own,
  'accounts.changePassword': own,
  'accounts.login': once,
  'accounts.resetSecondFactor': once,
  'accounts.setup': own,
  'accounts.verifyEmail': once,
  'assets.note': own,
  'assets.prompt': 'between two devices of one person',
  'assets.sendParts': own,
  'edits.changeGlossary': 'words are added and removed one by one',
  'edits.make': 'an edit that is there already is refused',
  'goals.set': oneValue,
  'identity.confirm': once,
  'identity.customToken': once,
  'identity.passkey': once,
  'identity.passkeyStart': once,
  'identity.password': once,
  'identity.provider': once,
  'identity.refresh': once,
  'identity.secondFactor': once,
  'identity.signOut': once,
  'invitations.accept': once,
  'invitations.read': once,
  'jobs.letRest': once,
  'jobs.sendAgain': once,
  'jobs.sendAll': once,
  'looks.rename': oneValue,
  'notifications.choose': own,
  'notifications.previewTrigger': 'writes nothing',
  'notifications.push': once,
  'notifications.testTrigger': once,
  'projects.answer': own,
  'projects.editComment': own,
  'projects.reorder': oneValue,
  'projects.start': 'a claim: whoever comes second is refused by name',
  'projects.tickComment': oneValue,
  'publishing.confirm': once,
  'publishing.connect': once,
  'publishing.connectWithPassword': once,
  'publishing.finishConnecting': once,
  'publishing.move': own,
  'publishing.reword': own,
  'publishing.setSlots': own,
  'reports.setRate': oneValue,
  'security.addPasskey': own,
  'security.confirmTotp': own,
  'security.connectProvider': own,
  'security.removePasskey': own,
  'security.removeProvider': own,
  'security.startPasskey': own,
  'security.startTotp': own,
  'subscriptions.charge': priced,
  'subscriptions.checkout': priced,
  'subscriptions.giveBack': '`left` says what was seen',
  'subscriptions.resume': priced,
  'subscriptions.updatePlan': priced,
  'support.assign': oneValue,
  'support.reply': 'added to what is there',
  'tenants.update': 'the panel sends the fields that were changed; each is one value',
  'tracking.contact': once,
  'tracking.send': once,
  'views.rename': own,
  'webhooks.resendSince': once,
}

test('every call that changes something names what the change was made from, or it is said why not', () => {
  const writing = everyCall.filter(
    ({ shape }) => (shape.method === 'PUT' || shape.method === 'POST') && shape.creates !== true && shape.body,
  )
  const blind = writing.filter(({ shape }) => !fieldsOf(shape).some((field) => moments.includes(field)))
  expect(blind.map(({ name }) => name).toSorted()).toEqual(Object.keys(without).toSorted())
})

const fieldsOf = ({ body }: CallShape): string[] => {
  const shape = body instanceof z.ZodOptional ? body.unwrap() : body
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : []
}
