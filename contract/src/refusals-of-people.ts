import type { Kind } from './kinds.ts'

/** People, their companies and what they write to each other: refusals that errors.ts puts together with the others. */
export const refusalsOfPeople = {
  'api-key.ended': {
    kind: 'unauthorized',
    message: 'This API key is not good any more. Make a new one in the panel, in your profile.',
  },
  'api-key.scope': {
    kind: 'forbidden',
    message: 'This API key may not do this. Make one that is allowed it; some calls only a person makes, signed in.',
  },
  'api-key.too-many': { kind: 'conflict', message: 'You have 20 keys that are good. Revoke one that you do not use.' },
  'api-key.not-yours': {
    kind: 'forbidden',
    message: 'Your role may not allow a key all of this. Take some of it away.',
  },
  'api-key.not-found': { kind: 'not-found', message: 'There is no such key. Look at the list again.' },
  'webhook.bad-address': {
    kind: 'invalid-argument',
    message: 'Give an https address that the public internet reaches, without a password in it.',
  },
  'webhook.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this webhook meanwhile. Look at it as it is now, then save again.',
  },
  'webhook.too-many': { kind: 'conflict', message: 'There are 10 endpoints. Delete one that you do not use.' },
  'webhook.too-many-waiting': {
    kind: 'conflict',
    message:
      'Too much waits for this endpoint. Send what happened since a later moment, or wait until it has caught up.',
  },
  'webhook.wrong-state': { kind: 'conflict', message: 'The endpoint stands otherwise by now. Look at it again.' },
  'webhook.not-found': { kind: 'not-found', message: 'There is no such webhook. Look at the list again.' },
  'account.email-taken': { kind: 'conflict', message: 'This e-mail address already has an account. Sign in instead.' },
  'account.connect-first': {
    kind: 'conflict',
    message:
      'There is an account with this e-mail address already. Sign in with your password, then connect it in your profile under Security.',
  },
  'account.weak-password': { kind: 'invalid-argument', message: 'Choose a longer or less common password.' },
  'account.not-found': { kind: 'not-found', message: 'There is no such person.' },
  'account.wrong-code': {
    kind: 'invalid-argument',
    message: 'The code is wrong or no longer valid. Ask for a new one.',
  },
  'account.unverified': {
    kind: 'forbidden',
    message: 'Confirm your e-mail address first: write the six digits that we sent you.',
  },
  'account.not-confirmed': {
    kind: 'conflict',
    message: 'This person has not confirmed their e-mail address yet. Ask them to, then try again.',
  },
  'account.no-seat': {
    kind: 'conflict',
    message:
      'Your e-mail address is confirmed, but your company has no seat left, so you are not in it. Ask its admin for a seat, then write to us: we add you.',
  },
  'account.no-token': { kind: 'not-found', message: 'There is no valid hand-over code. Make a new one.' },
  'account.terms-changed': {
    kind: 'conflict',
    message: 'These words have changed since this page was opened. Load it again and read the new ones.',
  },
  'account.export-waiting': {
    kind: 'conflict',
    message: 'Your file is being made. We tell you when it is ready.',
  },
  'account.no-export': { kind: 'not-found', message: 'There is no file with your data. Make a new one.' },
  'account.own-factor': { kind: 'forbidden', message: 'Remove your own in your profile, under Security.' },
  'account.last-admin': { kind: 'conflict', message: 'This is the last admin. Make somebody else an admin first.' },
  'account.admin-only': { kind: 'forbidden', message: 'Only an admin changes role, company, editor or access.' },
  'account.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this person meanwhile. Look at them as they are now, then save again.',
  },
  'account.hours-changed': {
    kind: 'conflict',
    message:
      'Somebody has changed these hours or days off meanwhile. Cancel, look at them as they are now, and write yours again.',
  },
  'account.has-company': {
    kind: 'conflict',
    message: 'This account belongs to another company already. Ask us to move it.',
  },
  'invitation.not-found': { kind: 'not-found', message: 'There is no such invitation.' },
  'invitation.settled': {
    kind: 'conflict',
    message: 'This invitation was taken or taken back already. Look at the list, then invite anew.',
  },
  'invitation.too-many': { kind: 'rate-limited', message: 'Too many invitations for today. Go on tomorrow.' },
  'invitation.ended': {
    kind: 'not-found',
    message: 'This invitation is no longer good. Ask whoever invited you to send it again.',
  },
  'invitation.sign-in': {
    kind: 'conflict',
    message: 'Your address has an account already. Sign in with it, then take the invitation.',
  },
  'invitation.other-person': {
    kind: 'forbidden',
    message: 'This invitation is for another e-mail address. Sign in with the address that it was sent to.',
  },
  'invitation.has-place': {
    kind: 'conflict',
    message:
      'Your account has another place with us already. Ask us to move it: an invitation takes nobody out of a company or a role.',
  },
  'script.too-many': {
    kind: 'conflict',
    message: 'There are 300 scripts here, and no room for more. Delete one that you no longer need.',
  },
  'script.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this script meanwhile. Look at it as it is now, then save again.',
  },
  'category.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this category meanwhile. Look at it as it is now, then save again.',
  },
  'category.too-many': {
    kind: 'conflict',
    message: 'There are 200 categories here, and no room for more. Change one that you no longer need.',
  },
  'script.not-found': { kind: 'not-found', message: 'There is no such script.' },
  'category.not-found': { kind: 'not-found', message: 'There is no such category.' },
  'note.too-many': {
    kind: 'conflict',
    message: 'There are 300 notes about this person, and no room for more. Delete one that nobody needs.',
  },
  'note.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this note meanwhile. Look at it as it is now, then try again.',
  },
  'note.not-found': { kind: 'not-found', message: 'There is no such note.' },
  'trigger.not-found': { kind: 'not-found', message: 'There is no such trigger.' },
  'trigger.never': {
    kind: 'invalid-argument',
    message: 'With these settings it never runs. Choose a later day or a later end.',
  },
  'trigger.too-many': {
    kind: 'conflict',
    message: 'Your company has 100 triggers that will run. Cancel or delete one first.',
  },
  'trigger.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this trigger meanwhile. Look at it as it is now, then save again.',
  },
  'trigger.ended': { kind: 'conflict', message: 'This trigger has ended. Make a new one.' },
  'tenant.code-taken': { kind: 'conflict', message: 'Another company has this invitation code. Choose another.' },
  'tenant.too-few-seats': { kind: 'conflict', message: 'More people than that are already in. Remove some first.' },
  'tenant.not-found': { kind: 'not-found', message: 'This invitation code is not known. Check it with your company.' },
  'tenant.service-only': { kind: 'forbidden', message: 'Only the service’s own admin changes this. Write to us.' },
  'tenant.switched-off': { kind: 'conflict', message: 'Your company is switched off with us. Write to us to go on.' },
  'tenant.none': { kind: 'not-found', message: 'There is no such company.' },
  'tenant.full': { kind: 'conflict', message: 'Your company has no seat left. Ask its admin for one.' },
  'support.not-found': { kind: 'not-found', message: 'There is no such question. Look at the list again.' },
  'support.wrong-state': { kind: 'conflict', message: 'Somebody was faster: the question stands otherwise by now.' },
  'support.said-more': {
    kind: 'conflict',
    message: 'Somebody has written here meanwhile. Read it, and close the question then.',
  },
  'support.no-address': { kind: 'conflict', message: 'They left no address, so no answer can reach them. Close it.' },
  'support.left-company': {
    kind: 'conflict',
    message: 'You asked this in a company that you have left. Ask anew instead.',
  },
  'support.not-theirs': { kind: 'conflict', message: 'This person does not answer here. Choose an administrator.' },
  'support.too-many': {
    kind: 'conflict',
    message: 'That is more than fits. Go on in a question that you have asked already.',
  },
  'view.not-found': { kind: 'not-found', message: 'This view is not kept any more.' },
  'view.name-taken': { kind: 'conflict', message: 'This list has a view of this name already. Choose another one.' },
  'view.too-many': { kind: 'conflict', message: 'You keep 100 views. Delete one that you do not need.' },
  'notification.not-found': { kind: 'not-found', message: 'There is no such notification.' },
  'push.not-found': { kind: 'not-found', message: 'This device gets no notifications. Switch them on first.' },
  'push.no-session': {
    kind: 'conflict',
    message: 'Sign in again in this browser, then switch notifications on.',
  },
  'push.bad-address': {
    kind: 'invalid-argument',
    message: 'This browser’s push service cannot be used. Try another browser.',
  },
} as const satisfies Record<string, { kind: Kind; message: string }>
