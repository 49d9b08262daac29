import type { Kind } from './kinds.ts'

/** Videos, edits and posts: refusals that errors.ts puts together with the others. */
export const refusalsOfVideos = {
  'comment.not-found': { kind: 'not-found', message: 'There is no such comment.' },
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
  'asset.not-plain': {
    kind: 'invalid-argument',
    message:
      'This video can be B-roll or a layer, and not a cut. Export it without transparency, in Rec. 709 (SDR), and send the new file.',
  },
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
  'project.other-readers': {
    kind: 'conflict',
    message: 'Others read what you write here than when you began. Look at your words again, then post them.',
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
    message:
      'The free video is used: each mailbox has one, and all addresses of one domain have ten in 30 days. Choose a plan to send the next one.',
  },
  'project.officer-inactive': {
    kind: 'conflict',
    message:
      'This video waits because its officer is disabled, or no officer any more. Once they are an officer again, it goes on by itself.',
  },
  'project.revisions-used': {
    kind: 'conflict',
    message:
      'The revisions of this video are used up, and another plan counts only for videos that join the queue later. Write to us where this one still needs a change.',
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
  'clip.changed': {
    kind: 'conflict',
    message: 'Somebody has changed this clip meanwhile. Look at it as it is now, then save again.',
  },
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
  'glossary.there': {
    kind: 'conflict',
    message: 'This word is there already, with other sounds. Remove it first, then add it as it should be.',
  },
  'glossary.too-many': {
    kind: 'conflict',
    message: 'There are 500 words already, and that is the most. Remove some first.',
  },
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
  'render.not-found': { kind: 'not-found', message: 'There is no such render.' },
  'render.crashed': {
    kind: 'conflict',
    message: 'Rendering this edit stopped the machine twice. Change the edit, or ask an administrator to try it.',
  },
  'render.running': { kind: 'conflict', message: 'This project is being rendered. Wait for it, or stop it first.' },
} as const satisfies Record<string, { kind: Kind; message: string }>
