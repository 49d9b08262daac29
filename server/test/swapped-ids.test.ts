import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { scripts } from '@clear-to-post/contract/scripts'
import { admits, idsFor, kindOf, kindsIn, moment, otherTextIds, places, rowsNaming, uuid, withId } from './ids.ts'
import { isLong, partOfWalk, seeded, seedOfRun } from './random.ts'
import { samplesOf, type Sample } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { callAs, confirmedLately, headersOf, makePerson, makeVideo, type Person, type Service } from './service.ts'
import { restoreConditions, walls } from './walls.ts'

/**
 * A passkey is made by a device alone: no stage has one. Parts of uploads lie in a bucket, and no stage has one:
 * upload-parts.test.ts swaps them. Jobs that were given up are the service's own, of which its ADMIN decides: jobs.test.ts. By the
 * last message that was seen nothing is looked up: it is compared with that of a question within reach. No stage has a cut that was
 * sent: captions-read.test.ts asks for its captions as everybody.
 */
const withoutObject = [
  'projects.captions params.assetId',
  'assets.sendParts body.writer',
  'assets.sendParts body.put.*',
  'jobs.sendAgain body.jobIds.*',
  'jobs.letRest body.jobIds.*',
  'security.removePasskey body.id',
  'support.close body.lastMessageId',
]

it('every place for an id has an object of the stage to try there', () => {
  const kinds = kindsIn({ officer: {}, editor: {}, qa: {}, admin: {}, project: {}, begun: {} } as Stage)
  const without = places.filter(({ name, place }) => !(kindOf(name, place) in kinds))
  expect(without.map(({ name, place }) => `${name} ${place}`).toSorted()).toEqual(withoutObject.toSorted())
})

/** Texts that are called ids, and belong to nobody. */
const nobodys = {
  /** Offers of the payment service, which everybody may read. */
  offers: /\.(planId|defaultPlanId|defaultProductId)$|^subscriptions\.publicProduct params\.id$/,
  /** What the service's ADMIN alone sells. */
  sold: /^catalogue\./,
  /** Names of the criteria that are written in the rules. */
  criteria: /criteria\.\*\.id$/,
  /** What a browser says of its own passkey, and a field that nothing is looked up by. */
  said: /credential\.(id|rawId)$|\.experienceId$/,
}

it('every text that is called an id is tried, or belongs to nobody', () => {
  expect(otherTextIds.filter((one) => !Object.values(nobodys).some((kind) => kind.test(one)))).toEqual([])
})

/** `npm test` asks both walls together in a half of the places, and each alone in a sixth; for own ids in a fourth. */
const ownPart = partOfWalk(4)

/**
 * Every place for an id in the contract gets another person's id, in an otherwise right request: the answer must be the one
 * for an unknown id, including its headers.
 */
describe.each(Object.entries(walls))('with %s', (which, open) => {
  const wallPart = partOfWalk(which === 'both walls' ? 2 : 6)
  const options = { ...wallPart.options, timeout: 300_000 }
  // What each wall refuses alone is refused by both. At one wall an officer and one of the staff are asked about each place, or
  // all in the long form.
  const askers = (admitted: typeof people) => {
    if (isLong) return admitted
    const kinds = Map.groupBy(admitted, ({ person }) => which === 'both walls' || person.role === 'User')
    return [...kinds.values()].map((some) => random.one(some))
  }
  const seed = seedOfRun()
  const random = seeded(seed)
  const someOf = (share: number) => {
    const turn = random.whole(1, share)
    return places.filter((_, at) => at % share === turn - 1)
  }
  let service: Service
  let theirs: Stage
  let people: { who: string; person: Person; own: Stage }[]
  let reachesAll: (typeof people)[number]
  /** A category and a script of the library that everybody reads and the service alone writes. */
  let ofTheService: string[]

  beforeAll(async () => {
    service = await open()
    theirs = await openStage(service)
    const own = await openStage(service)
    reachesAll = { who: 'admin of all', person: await makePerson(service, 'ADMIN'), own }
    const asAdmin = callAs(service, reachesAll.person)
    const category = await asAdmin(scripts.saveCategory, { body: { title: 'Everybody’s', backgroundColor: '#aabbcc' } })
    const script = { title: 'Everybody’s', content: 'Words', categoryId: category.id }
    ofTheService = [category.id, (await asAdmin(scripts.create, { body: script })).id]
    const { tenantId } = theirs
    // A colleague of their officer, with objects of his own.
    const colleague = await makePerson(service, 'User', { tenantId })
    const ofColleague: Stage = { ...own, tenantId, officer: colleague, unused: await makeVideo(service, colleague) }
    people = [
      ...(['officer', 'editor', 'qa', 'admin'] as const).map((who) => ({ who, person: own[who], own })),
      { who: 'colleague', person: colleague, own: ofColleague },
    ]
  })
  afterAll(async () => {
    await service.close()
    restoreConditions()
  })

  it('an id of another company is answered like an unknown one, in every place', options, async () => {
    const before = await rowsNaming(service, theirs)
    const unlike: string[] = []
    for (const { name, shape, place } of someOf(wallPart.share)) {
      const admitted = people.filter(({ person }) => admits(shape, person))
      for (const { who, person, own } of askers(admitted)) {
        const sample = samplesOf(own)[name]!()
        const absent = await askAbsent(shape, sample, place, person)
        for (const id of [...idsFor(name, place, theirs), ...(name.startsWith('scripts.') ? ofTheService : [])]) {
          if (who === 'colleague' && id === theirs.tenantId) continue
          const foreign = await ask(shape, sample, place, id, person)
          if (foreign !== absent) unlike.push(`${name} ${place} as ${who}:\n  ${foreign}\n  ${absent}`)
        }
      }
    }
    expect(unlike, `PROVE_SEED=${seed}`).toEqual([])
    expect(await rowsNaming(service, theirs), `PROVE_SEED=${seed}`).toEqual(before)
  })

  it('the company as who acts by its keys is an unknown person, also to its own ADMIN', options, async () => {
    const unlike: string[] = []
    for (const { name, shape, place } of someOf(wallPart.share)) {
      for (const { who, person, own } of [...people, reachesAll].filter(({ person }) => admits(shape, person))) {
        // Its keys are listed, and what was changed of them.
        const isPerson = kindsIn(own)[kindOf(name, place)]?.includes(own.officer.id)
        if (!isPerson || name === 'apiKeys.ofCompany' || name === 'audit.list') continue
        const sample = samplesOf(own)[name]!()
        const [asked, absent] = [
          await ask(shape, sample, place, own.company, person),
          await askAbsent(shape, sample, place, person),
        ]
        if (asked !== absent) unlike.push(`${name} ${place} as ${who}:\n  ${asked}\n  ${absent}`)
      }
    }
    expect(unlike, `PROVE_SEED=${seed}`).toEqual([])
  })

  // It is about the requests, not about the walls.
  it.runIf(isLong || which === 'both walls')(
    'an own id is answered differently from an unknown one, so the test above can fail',
    { timeout: 300_000, ...ownPart.options },
    async () => {
      const blind: string[] = []
      const some = someOf(ownPart.share)
      expect(some.length).toBeGreaterThan(20)
      // Calls that delete, and calls that end sessions, come last.
      for (const { name, shape, place } of some.toSorted((a, b) => harm(a) - harm(b))) {
        let differs = false
        for (const { person, own } of [...people, reachesAll].filter(({ person }) => admits(shape, person))) {
          let absent: string | undefined
          for (const id of idsFor(name, place, own)) {
            if (differs) break
            const sample = samplesOf(own)[name]!()
            absent ??= await askAbsent(shape, sample, place, person)
            differs = (await ask(shape, sample, place, id, person)) !== absent
          }
        }
        // For an id of unknown kind a stage may have no object.
        if (!differs && kindOf(name, place) in kindsIn(theirs)) blind.push(`${name} ${place}`)
      }
      expect(blind, `PROVE_SEED=${seed}`).toEqual([])
    },
  )

  const ask = async (shape: CallShape, sample: Sample, place: string, id: string, who: Person) => {
    const { params, query, body } = withId(sample, place, id)
    const response = await service.app.inject({
      method: shape.method,
      url: addressOf(shape, params, query),
      headers: headersOf(await confirmedLately(service, who)),
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const { 'x-request-id': requestId, date: _date, ...headers } = response.headers
    // A created object has its own id and time.
    const text = response.body.replace(String(requestId), '').replaceAll(id, 'the id')
    const told = response.statusCode < 400 ? text.replace(uuid, 'an id').replace(moment, 'a moment') : text
    return `${response.statusCode} ${told} ${JSON.stringify(headers)}`
  }
  const askAbsent = (shape: CallShape, sample: Sample, place: string, who: Person) =>
    ask(shape, sample, place, randomUUID(), who)
})

const harm = ({ name, shape }: (typeof places)[number]) =>
  (name.startsWith('accounts.') ? 2 : 0) + (shape.method === 'DELETE' ? 1 : 0)
