import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'whoever left a company at once is told that its plan counts for them',
    file: 'server/src/notifications/jobs.ts',
    from: 'isPaidBeside ? await whoPayBeside(tx, notice.cause, userIds, now) : userIds',
    to: 'isPaidBeside && whoPayBeside ? userIds : userIds',
    noticed: ['server/src/subscriptions/switched.test.ts', 'left it before the job ran'],
  },
  {
    what: 'a notice that nobody has seen is marked as read, and never mailed',
    file: 'server/src/notifications/store.ts',
    from: 'and opened_at is null and ${isToldUntil(until)}',
    to: 'and opened_at is null',
    noticed: ['server/src/notifications/notify.test.ts', 'later than the list that was read'],
  },
  {
    what: 'a stranger whose address somebody used is sent notices',
    file: 'server/src/notifications/notify.ts',
    from: "channel === 'email' && !person.is_confirmed",
    to: "channel === 'email' && !person.is_confirmed && false",
    noticed: ['server/src/notifications/notify.test.ts', 'gets no notice by mail'],
  },
  {
    what: 'a notice of the old company is opened after a move',
    file: 'server/src/notifications/store.ts',
    from: `n.status <> 'deleted' and \${isInReach}
    returning`,
    to: `n.status <> 'deleted'
    returning`,
    noticed: ['server/src/notifications/notify.test.ts', 'a reviewer of another company now'],
  },
  {
    what: 'who was moved to another company is pushed titles of the old one’s videos',
    file: 'server/src/notifications/store.ts',
    from: 'not p.is_disabled and ${isInReach}\n      -- One order for all',
    to: 'not p.is_disabled\n      -- One order for all',
    noticed: ['server/src/notifications/notify.test.ts', 'is told nothing new about it by any channel'],
  },
  {
    what: 'a company makes triggers without a bound',
    file: 'server/src/notifications/triggers.ts',
    from: '>= mostKept.triggers)',
    to: '>= Infinity)',
    noticed: ['server/src/notifications/triggers.test.ts', 'are a hundred at most'],
  },
  {
    what: 'notices have no age',
    file: 'server/src/notifications/store.ts',
    from: 'where n.user_id = p.id and n.delivered_at < ${before}',
    to: 'where n.user_id = p.id and n.delivered_at < ${before} and false',
    noticed: ['server/src/notifications/notifications.test.ts', 'are forgotten'],
  },
  {
    what: 'why a trigger could not tell a removed person stays',
    file: 'server/src/notifications/personal-data.ts',
    from: "then 'Somebody who was removed could not be told.' else words end",
    to: 'then words else words end',
    noticed: ['server/test/personal-data.test.ts', 'leaves no trace'],
  },
  {
    what: 'nobody hears of a revision whose editor is gone',
    file: 'server/src/notifications/jobs.ts',
    from: 'assigners: event.assigner_ids',
    to: 'assigners: []',
    noticed: ['server/src/notifications/audiences.test.ts', 'comes back to an editor who is gone'],
  },
  {
    what: 'a cut that waits again is told to nobody',
    file: 'server/src/notifications/jobs.ts',
    from: 'const turn = event.is_past ? undefined',
    to: 'const turn = event.is_past || event.undone_seq !== null ? undefined',
    noticed: ['server/src/notifications/audiences.test.ts', 'waits again after an undone step'],
  },
  {
    what: 'a cut that nobody reviews is told to nobody',
    file: 'server/src/notifications/jobs.ts',
    from: "turn.to === 'reviewers' ? await approversOf(tx, projectId, found) : found",
    to: 'found',
    noticed: ['server/src/notifications/audiences.test.ts', 'a cut that nobody reviews'],
  },
  {
    what: 'an undone step is told, by a second run, to who never knew of it',
    file: 'server/src/notifications/store.ts',
    from: 'coalesce(n.deleted_at < ${since}, false)',
    to: "n.status = 'deleted'",
    noticed: ['server/src/projects/turns.test.ts', 'to nobody who never knew'],
  },
  {
    what: 'what an undone step ended unread stays away',
    file: 'server/src/notifications/jobs.ts',
    from: 'if (event.undone_seq === null) return',
    to: 'if (event.at) return',
    noticed: ['server/src/notifications/undone.test.ts', 'ended unread stands there again'],
  },
  {
    what: 'who is told late of a step hears nothing where another one came and was undone',
    file: 'server/src/notifications/store.ts',
    from: '(l.seq = p.seq or (l.before',
    to: '(true or (l.before',
    noticed: ['server/src/notifications/undone.test.ts', 'an officer told late'],
  },
]
