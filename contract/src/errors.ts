import type { Failure } from './failure.ts'

/**
 * Every failure's kind and HTTP status (docs/specification/failures.md). Beside the usual ones: `unavailable`, for a
 * database that is away, and `timed-out`, for a request that does not come to its end.
 */
export const kinds = {
  'invalid-argument': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'timed-out': 408,
  conflict: 409,
  'too-large': 413,
  'rate-limited': 429,
  unexpected: 500,
  unavailable: 503,
} as const
export type Kind = keyof typeof kinds

/** Every refusal that a rule of ours can give: its kind, and the words when the rule gives none of its own. */
export const refusals = {
  'request.invalid': { kind: 'invalid-argument', message: 'The request is not valid.' },
  'request.too-large': {
    kind: 'too-large',
    message: 'The request is larger than 1 MB. Send less at once; files are uploaded.',
  },
  'request.wrong-type': { kind: 'invalid-argument', message: 'This content type is not accepted here. Send JSON.' },
  'request.too-slow': {
    kind: 'timed-out',
    message: 'The request did not arrive in time. Check your connection and send it again.',
  },
  'request.id-reused': { kind: 'conflict', message: 'This request id was used for another request. Use a new one.' },
  'request.id-running': {
    kind: 'conflict',
    message: 'The first request with this id is still running. Try again in a moment.',
  },
  'request.too-many': { kind: 'rate-limited', message: 'Too many requests. Wait a minute and try again.' },
  'service.unavailable': {
    kind: 'unavailable',
    message: 'The service is catching its breath. Nothing was lost; try again in a few seconds.',
  },
  'service.crowded': {
    kind: 'unavailable',
    message: 'Too many connections are open right now. Close pages you do not need and try again in ten seconds.',
  },
  'request.no-such-call': { kind: 'not-found', message: 'There is no such call.' },
  'session.required': { kind: 'unauthorized', message: 'Sign in to continue.' },
  'session.ended': { kind: 'unauthorized', message: 'Your session has ended. Sign in again.' },
  'session.wrong-credentials': { kind: 'unauthorized', message: 'Invalid Email or Password' },
  'session.invalid-token': {
    kind: 'unauthorized',
    message: 'This sign-in link is no longer valid. Ask for a new one.',
  },
  'session.provider-failed': { kind: 'unauthorized', message: 'The sign-in did not work. Try again.' },
  'session.provider-unverified': {
    kind: 'forbidden',
    message: 'Your e-mail address is not confirmed there. Confirm it, or open an account with a password.',
  },
  'session.step-ended': { kind: 'unauthorized', message: 'This sign-in took too long. Start again.' },
  'session.wrong-code': {
    kind: 'invalid-argument',
    message: 'This code is not right. Look again, or wait for the next one.',
  },
  'session.wrong-passkey': {
    kind: 'invalid-argument',
    message: 'This passkey was not accepted. Try again or use another way.',
  },
  'session.wrong-password': { kind: 'invalid-argument', message: 'This password is not right.' },
  'session.second-step': {
    kind: 'forbidden',
    message: 'Your account has a second step. Confirm with it as well, or sign in again.',
  },
  'session.not-fresh': { kind: 'forbidden', message: 'Confirm with your password, or sign in again first.' },
  'security.has-totp': { kind: 'conflict', message: 'There is an authenticator app already. Remove it first.' },
  'security.too-many-passkeys': { kind: 'conflict', message: 'There are 20 passkeys already. Remove one first.' },
  'security.last-factor': {
    kind: 'conflict',
    message: 'A second step is required here. Add another one before you remove this.',
  },
  'security.no-factor': { kind: 'conflict', message: 'Set up an authenticator app or a passkey first.' },
  'security.last-way-in': { kind: 'conflict', message: 'You could not sign in any more. Set a password first.' },
  'security.connected-elsewhere': { kind: 'conflict', message: 'Another account uses this already. Choose another.' },
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
  'webhook.too-many': { kind: 'conflict', message: 'There are 10 endpoints. Delete one that you do not use.' },
  'webhook.too-many-waiting': {
    kind: 'conflict',
    message:
      'Too much waits for this endpoint. Send what happened since a later moment, or wait until it has caught up.',
  },
  'webhook.wrong-state': { kind: 'conflict', message: 'The endpoint stands otherwise by now. Look at it again.' },
  'webhook.not-found': { kind: 'not-found', message: 'There is no such webhook. Look at the list again.' },
  'access.forbidden': { kind: 'forbidden', message: 'Your role does not do this.' },
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
  'category.too-many': {
    kind: 'conflict',
    message: 'There are 200 categories here, and no room for more. Change one that you no longer need.',
  },
  'script.not-found': { kind: 'not-found', message: 'There is no such script.' },
  'category.not-found': { kind: 'not-found', message: 'There is no such category.' },
  'comment.not-found': { kind: 'not-found', message: 'There is no such comment.' },
  'note.too-many': {
    kind: 'conflict',
    message: 'There are 300 notes about this person, and no room for more. Delete one that nobody needs.',
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
  'rate.too-many': {
    kind: 'conflict',
    message: 'This editor has rates from very many months on. Change one of those instead of adding another.',
  },
  'product.changed': {
    kind: 'conflict',
    message: 'Somebody changed this product since you opened it. Look at it again, then save.',
  },
  'product.changing': {
    kind: 'conflict',
    message: 'A change of this product is under way. Try again in a few minutes.',
  },
  'plan.twice': { kind: 'conflict', message: 'Two of these plans are the same. Change or remove one.' },
  'coupon.not-found': { kind: 'not-found', message: 'There is no such coupon, or nobody can use it any more.' },
  'coupon.taken': { kind: 'conflict', message: 'There is or was a coupon of this code. Choose another code.' },
  'coupon.too-late': { kind: 'conflict', message: 'Its last day is over. Choose a later one.' },
  'coupon.too-far': { kind: 'conflict', message: 'A coupon ends within five years. Choose an earlier last day.' },
  'product.not-found': { kind: 'not-found', message: 'There is no such product.' },
  'subscription.none': { kind: 'not-found', message: 'There is no running subscription. Choose a plan to start one.' },
  'subscription.running': {
    kind: 'conflict',
    message: 'You have a plan already. Change it instead of buying another.',
  },
  'subscription.of-company': {
    kind: 'conflict',
    message: 'Your company pays for your plan. Its admin changes it.',
  },
  'subscription.by-hand': { kind: 'conflict', message: 'This plan was set up by hand. Write to us to change it.' },
  'subscription.paused': { kind: 'conflict', message: 'Your plan is paused. Resume it first.' },
  'subscription.not-paused': { kind: 'conflict', message: 'Your plan is not paused.' },
  'subscription.changing': {
    kind: 'conflict',
    message: 'A change of the plan is under way. Try again in a moment.',
  },
  'subscription.ending': {
    kind: 'conflict',
    message: 'Your plan ends with this period. Choose to keep it first, under “Card and invoices”.',
  },
  'subscription.owes': {
    kind: 'conflict',
    message: 'The last renewal is not paid yet. Pay it or change the card first, under “Card and invoices”.',
  },
  'plan.not-found': { kind: 'not-found', message: 'There is no such plan. Choose one of those on the page.' },
  'plan.same': { kind: 'conflict', message: 'You have this plan already.' },
  'payment.not-for-you': { kind: 'forbidden', message: 'Plans are bought by loan officers and by a company’s admin.' },
  'payment.no-card': { kind: 'conflict', message: 'There is no card yet. Add one under “Card and invoices”.' },
  'payment.declined': {
    kind: 'conflict',
    message: 'The card was declined. Nothing was changed. Use another card, or ask your bank.',
  },
  'payment.needs-confirmation': {
    kind: 'conflict',
    message: 'Your bank wants to hear from you first. Add the card again under “Card and invoices”.',
  },
  'payment.not-found': { kind: 'not-found', message: 'There is no such payment.' },
  'refund.too-much': {
    kind: 'conflict',
    message: 'That is more than is left of this payment. Look at what was given back already.',
  },
  'refund.changed': {
    kind: 'conflict',
    message:
      'Something went back of this payment since you opened it. Look at what is left, then give it if it is still due.',
  },
  'refund.no-credit': {
    kind: 'conflict',
    message: 'Who paid has left, so no later invoice would use a credit. Give it back to the card, if it was one.',
  },
  'refund.not-by-card': { kind: 'conflict', message: 'This was not paid by card. Give it as credit instead.' },
  'payment.closed': { kind: 'conflict', message: 'Nothing can be bought here yet. Ask us to set up payments.' },
  'payment.refused': {
    kind: 'conflict',
    message: 'The payment service does not take this. Look at what was asked for, or write to us.',
  },
  'payment.unavailable': {
    kind: 'unavailable',
    message: 'The payment service does not answer. You are not charged twice; try again in a minute.',
  },
  'payment.bad-event': { kind: 'invalid-argument', message: 'This event was not signed by the payment service.' },
  'notification.not-found': { kind: 'not-found', message: 'There is no such notification.' },
  'asset.wrong-offset': { kind: 'conflict', message: 'The upload is elsewhere. Ask for its offset.' },
  'asset.busy': {
    kind: 'conflict',
    message: 'Another connection sends this file. Wait a moment and ask for its offset.',
  },
  'asset.no-parts': {
    kind: 'conflict',
    message: 'Files are not sent in parts here. Send it by the resumable upload.',
  },
  'asset.address-ended': { kind: 'forbidden', message: 'This link has ended. Open the page again.' },
  'asset.not-found': { kind: 'not-found', message: 'There is no such file.' },
  'asset.not-ready': { kind: 'conflict', message: 'This file is not ready yet. Wait until it has been checked.' },
  'asset.not-a-video': { kind: 'invalid-argument', message: 'This file is not a video. Choose a video.' },
  'asset.not-a-picture': {
    kind: 'invalid-argument',
    message: 'This file cannot be shown as a picture. Choose a picture of at most 20 MB.',
  },
  'asset.in-use': { kind: 'conflict', message: 'This file already belongs to another project. Upload it again.' },
  'asset.too-large': { kind: 'too-large', message: 'This file is too large. Send at most 4 GB.' },
  'asset.other-project': {
    kind: 'conflict',
    message: 'The code in this file’s name is of another project. Upload it there, or rename the file.',
  },
  'asset.no-room': { kind: 'conflict', message: 'Too many uploads wait unused. Submit or remove one first.' },
  'project.not-found': { kind: 'not-found', message: 'There is no such project.' },
  'project.forbidden': { kind: 'forbidden', message: 'Your role does not do this.' },
  'project.wrong-status': { kind: 'conflict', message: 'The project’s status does not allow this.' },
  'project.own-edit': { kind: 'forbidden', message: 'Nobody approves what they edited themselves.' },
  'project.older-render': {
    kind: 'conflict',
    message: 'The edit was changed after this file was rendered. Render it again to send what the edit shows now.',
  },
  'comment.refused': { kind: 'forbidden', message: 'Only its author changes a comment. Answer it instead.' },
  'project.same-cut': {
    kind: 'conflict',
    message: 'This file was judged already. Change the edit and render it again, or upload another file.',
  },
  'project.not-finished': { kind: 'conflict', message: 'The video is not finished yet. We ask you when it is.' },
  'project.other-cut': {
    kind: 'conflict',
    message: 'Another cut is the current one now. Watch it, then decide.',
  },
  'project.claimed': { kind: 'conflict', message: 'Another editor has this project.' },
  'project.nothing-to-roll-back': { kind: 'conflict', message: 'There is no step to undo.' },
  'project.month-past': { kind: 'invalid-argument', message: 'That month is over. Choose this month or a later one.' },
  'project.month-far': {
    kind: 'invalid-argument',
    message: 'That month is too far ahead. Choose one within a year.',
  },
  'project.beyond-cut': {
    kind: 'invalid-argument',
    message: 'The cut ends before that moment. Choose an earlier one.',
  },
  'project.time-near': {
    kind: 'conflict',
    message: 'It goes out within minutes, or its time has come. Unschedule it to choose another time.',
  },
  'project.time-past': { kind: 'invalid-argument', message: 'That time has passed. Choose a time in the future.' },
  'project.no-editor': { kind: 'invalid-argument', message: 'A project that was begun needs an editor. Choose one.' },
  'project.quota-used': {
    kind: 'conflict',
    message: 'This month’s videos are used up. Choose a later month, buy one more, or take a bigger plan.',
  },
  'project.seats-used': {
    kind: 'conflict',
    message:
      'Your company’s plan pays for no more videos in that month. Choose a later month, or ask your company’s admin for more seats.',
  },
  'project.payments-used': {
    kind: 'conflict',
    message: 'What was paid so far holds no more videos. The plan’s next payment opens more, or buy one more video.',
  },
  'project.no-plan': {
    kind: 'conflict',
    message: 'Each mailbox has one free video, and yours is used. Choose a plan to send the next one.',
  },
  'project.revisions-used': {
    kind: 'conflict',
    message: 'Your plan’s revisions for this video are used up. A bigger plan has more; or write to us.',
  },
  'project.too-many-today': {
    kind: 'conflict',
    message:
      'Twenty videos were sent in within the last 24 hours, and canceled ones count. Send the next one in when a day has passed.',
  },
  'project.ahead-full': {
    kind: 'conflict',
    message:
      'Videos that wait for later months may have 40 GB together. Send this one in for this month, or when one of them has begun.',
  },
  'project.cuts-full': {
    kind: 'conflict',
    message: 'The cuts of this video may have 60 GB together. Remove those that were not sent, or send a smaller file.',
  },
  'project.too-many-steps': {
    kind: 'conflict',
    message: 'The record of this video is full. Send in a new video for what is left to do.',
  },
  'project.too-many-remarks': {
    kind: 'conflict',
    message:
      'There are 300 remarks about this video, and no room for more. Say the rest where a revision is asked for or a cut is denied.',
  },
  'project.queue-empty': { kind: 'not-found', message: 'The queue is empty. Nothing to edit right now.' },
  'project.changed': {
    kind: 'conflict',
    message: 'The project changed meanwhile. Look again and repeat if it still fits.',
  },
  'feedback.no-criterion': {
    kind: 'invalid-argument',
    message: 'This is not one of the criteria. Look at the list again.',
  },
  'feedback.changed': {
    kind: 'conflict',
    message: 'Somebody else changed the criteria meanwhile. Look at them again and repeat your change.',
  },
  'feedback.service-only': {
    kind: 'forbidden',
    message: 'The criteria are the same for every company; only the service’s own admin changes them. Write to us.',
  },
  'clip.not-found': { kind: 'not-found', message: 'This clip is not in the library. Look at the list again.' },
  'clip.library-full': {
    kind: 'conflict',
    message: 'This library is full: it holds 2,000 clips and 50 GB. Take out what nobody uses, then add again.',
  },
  'clip.no-picture': {
    kind: 'invalid-argument',
    message: 'There is nothing to see in this file. A B-roll library takes videos and pictures.',
  },
  'look.not-found': { kind: 'not-found', message: 'This look is no longer there. Look at the list again.' },
  'look.invalid': { kind: 'invalid-argument', message: 'This look cannot be used. Reload the page and save it again.' },
  'look.name-taken': {
    kind: 'conflict',
    message: 'There is a look of this name already. Choose another name, or delete that one first.',
  },
  'look.library-full': {
    kind: 'conflict',
    message: 'There are 100 looks, and that is the most. Delete one that nobody uses, then save again.',
  },
  'edit.not-yours': {
    kind: 'forbidden',
    message: 'Only its editor changes this edit, while the project is In Progress. Start editing first.',
  },
  'edit.at-rest': {
    kind: 'conflict',
    message:
      'This video is canceled, or waits for its month, and nothing is made of it meanwhile. Undo the cancellation, or let its month begin.',
  },
  'edit.changed': {
    kind: 'conflict',
    message: 'The edit was saved from elsewhere meanwhile. Reload it and repeat your last change.',
  },
  'edit.none': { kind: 'not-found', message: 'There is no edit yet. Ask for the first cut.' },
  'edit.empty': {
    kind: 'conflict',
    message: 'Everything is cut out. Put something back before you render.',
  },
  'edit.too-long': {
    kind: 'conflict',
    message: 'The finished video would be too long. Shorten the edit before you render.',
  },
  'edit.script-too-long': {
    kind: 'invalid-argument',
    message:
      'This script is longer than what can be said in these recordings. Give only the words that are said in them.',
  },
  'edit.invalid': { kind: 'invalid-argument', message: 'This edit cannot be used.' },
  'connection.not-found': {
    kind: 'not-found',
    message: 'This account is not connected. Look at your connections, and connect it again.',
  },
  'connection.not-for-you': {
    kind: 'forbidden',
    message: 'Accounts are connected by loan officers, and by a company’s admin for the company.',
  },
  'connection.not-offered': { kind: 'not-found', message: 'This network is not set up here. Choose another one.' },
  'connection.oauth-flow-ended': {
    kind: 'conflict',
    message: 'This way to the network has ended. Connect the account once more, in this browser.',
  },
  'connection.refused': {
    kind: 'conflict',
    message: 'The network did not allow it. Connect the account once more, and allow everything it asks for.',
  },
  'connection.wrong-password': {
    kind: 'conflict',
    message:
      'The network did not take this name and app password. Make an app password in its settings, and write both once more.',
  },
  'connection.silent': { kind: 'unavailable', message: 'The network does not answer. Try again in a few minutes.' },
  'connection.too-many': {
    kind: 'conflict',
    message: 'You have connected 20 accounts, and that is the most. Disconnect one that you do not use.',
  },
  'post.not-found': { kind: 'not-found', message: 'There is no such post. Look at the video again.' },
  'post.wrong-state': {
    kind: 'conflict',
    message: 'This is not possible any more: the post has gone on. Look at it again.',
  },
  'post.time-near': {
    kind: 'conflict',
    message: 'This post goes out within minutes, so its time stays. Take it back, or wait for its end.',
  },
  'post.time-past': {
    kind: 'invalid-argument',
    message: 'Choose a time that is at least two minutes ahead.',
  },
  'post.does-not-fit': { kind: 'invalid-argument', message: 'The network does not take this. Change it.' },
  'calendar.not-found': { kind: 'not-found', message: 'This calendar link is not good any more. Make a new one.' },
  'push.not-found': { kind: 'not-found', message: 'This device gets no notifications. Switch them on first.' },
  'push.no-session': {
    kind: 'conflict',
    message: 'Sign in again in this browser, then switch notifications on.',
  },
  'push.bad-address': {
    kind: 'invalid-argument',
    message: 'This browser’s push service cannot be used. Try another browser.',
  },
  'render.not-found': { kind: 'not-found', message: 'There is no such render.' },
  'render.crashed': {
    kind: 'conflict',
    message: 'Rendering this edit stopped the machine twice. Change the edit, or ask an administrator to try it.',
  },
  'render.running': { kind: 'conflict', message: 'This project is being rendered. Wait for it, or stop it first.' },
} as const satisfies Record<string, { kind: Kind; message: string }>
export type RefusalCode = keyof typeof refusals

/** Thrown by rules on the server and by the client for every failed call. */
export class Refusal extends Error {
  readonly code: string
  readonly kind: Kind
  readonly requestId: string | undefined
  readonly issues: Failure['issues']
  /** Seconds after which the same is worth another try, where that is known. */
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    message: string,
    kind: Kind,
    more: { requestId?: string; issues?: Failure['issues']; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.kind = kind
    this.requestId = more.requestId
    this.issues = more.issues
    this.retryAfter = more.retryAfter
  }
}

/** A refusal by its code, with words of its own where the rule has better ones. */
export const refusal = (code: RefusalCode, message?: string, issues?: Failure['issues']): Refusal =>
  new Refusal(code, message ?? refusals[code].message, refusals[code].kind, issues ? { issues } : {})

/** More than is answered in a while. `ms`: after how long the same is worth another try; answered as `Retry-After`. */
export const tooMany = (ms: number, message: string = refusals['request.too-many'].message): Refusal =>
  new Refusal('request.too-many', message, 'rate-limited', { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })
