import type { Sabotage } from '../sabotage.ts'

const sending = 'server/src/webhooks/sending.test.ts'
const calls = 'server/src/webhooks/webhooks.test.ts'
const inOrder = 'a program that does not take a message is sent it again later, and other videos go on meanwhile'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a webhook that is moved twice within a millisecond is told of once',
    file: 'server/src/webhooks/notices.ts',
    from: '${id}:${change}`',
    to: '${id}:${change.slice(0, 0)}`',
    noticed: ['server/src/webhooks/webhooks.test.ts', 'moved twice within a millisecond'],
  },
  {
    what: 'a later step of a video is sent before the one that fails',
    file: 'server/src/webhooks/send-store.ts',
    from: "        where d.endpoint_id = ${endpointId} and d.state = 'waiting' order by d.turn_id, d.number limit 1)\n      union",
    to: "        where d.endpoint_id = ${endpointId} and d.state = 'waiting' order by d.turn_id, d.number desc limit 1)\n      union",
    noticed: [sending, inOrder],
  },
  {
    what: 'a message counts as taken whatever its program answers',
    file: 'server/src/webhooks/send.ts',
    from: 'outcome.status >= 200 && outcome.status < 300',
    to: 'outcome.status >= 200',
    noticed: [sending, inOrder],
  },
  {
    what: 'a message is noted as taken before it is sent',
    file: 'server/src/webhooks/send.ts',
    from: '  const outcome = await post(endpoint, one, begun)\n',
    to: `  await deps.database.asSystem((tx) =>
    settleDelivery(tx, one, { state: 'delivered', tries: 0, status: 204, nextAt: begun, now: begun }),
  )
  const outcome = await post(endpoint, one, begun)
`,
    noticed: ['server/test/webhook-kill.test.ts'],
  },
  {
    what: 'a claim of a process that lives is taken over',
    file: 'server/src/webhooks/send-store.ts',
    from: 'where d.next_at <= ${now} and coalesce(d.leased_until <= ${now}, true)\n',
    to: 'where d.next_at <= ${now}\n',
    noticed: [sending, 'a message that a dead process had is sent again when its claim ends'],
  },
  {
    what: 'an endpoint that fails for days is never paused',
    file: 'server/src/webhooks/send.ts',
    from: ': failingMs >= failingHours * 3_600_000',
    to: ': failingMs >= failingHours * 3_600_000_000',
    noticed: [sending, 'an endpoint that takes nothing for three days is paused'],
  },
  {
    what: 'an endpoint that is gone is asked on and on',
    file: 'server/src/webhooks/send.ts',
    from: 'outcome.status === 410',
    to: 'outcome.status === 411',
    noticed: [sending, 'an endpoint that says it is gone is paused at once'],
  },
  {
    what: 'an endpoint where everything fails is asked as often as one that works',
    file: 'server/src/webhooks/send.ts',
    from: 'restingUntil: isDown ?',
    to: 'restingUntil: isDown && failingMs < 0 ?',
    noticed: [sending, 'where many videos fail at once the endpoint rests'],
  },
  {
    what: 'a company that was switched off is told on',
    file: 'server/src/webhooks/send.ts',
    from: ' || !endpoint.is_active || endpoint.is_resting',
    to: ' || endpoint.is_resting',
    noticed: [calls, 'a company that is switched off is told nothing'],
  },
  {
    what: 'an endpoint may be an address of a private network',
    file: 'server/src/webhooks/actions.ts',
    from: "  if (!webhookSender().mayReach(url)) throw refusal('webhook.bad-address')\n",
    to: '  void url\n',
    noticed: [calls, 'an endpoint is a public https address'],
  },
  {
    what: 'a former secret signs for ever',
    file: 'server/src/webhooks/send.ts',
    from: ' && endpoint.former_until! > now',
    to: '',
    noticed: [calls, 'a message is signed as Standard Webhooks says'],
  },
  {
    what: 'a restored copy sends what waited',
    file: 'server/src/webhooks/send-store.ts',
    from: "update webhook_delivery set state = 'suppressed', settled_at",
    to: 'update webhook_delivery set settled_at',
    noticed: [calls, 'a restored copy sends nothing that waited'],
  },
  {
    what: 'a person’s own file names who edits their video, as webhooks were told',
    file: 'server/src/webhooks/personal-data.ts',
    from: "sql`t.data - 'editorId'`",
    to: 'sql`t.data`',
    noticed: ['server/test/personal-data.test.ts', 'has the id of no staff'],
  },
  {
    what: 'a message that is given up is told to nobody',
    file: 'server/src/webhooks/send.ts',
    from: '  if (isGivenUp) await tellOfGivenUp(tx, endpoint, now)\n',
    to: '',
    noticed: ['server/src/webhooks/sending.test.ts', 'is given up while others are taken'],
  },
]
