import { afterAll, beforeAll, expect, test } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import type { Command } from '@clear-to-post/edit/commands/command'
import { cutStretch, cutWords, restoreWords, switchReason, switchRemoval } from '@clear-to-post/edit/commands/cuts'
import { setEnding } from '@clear-to-post/edit/commands/ending'
import {
  addMove,
  putPerson,
  removeFocus,
  removeMove,
  setFrame,
  switchFocus,
  switchMove,
} from '@clear-to-post/edit/commands/picture'
import { removePiece, setPieceEdge, splitAt } from '@clear-to-post/edit/commands/trims'
import { firstCut } from '@clear-to-post/edit/first-cut'
import type { Recipe, Word } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { seeded, seedOfRun, type Random } from '../../test/random.ts'
import { makeEdit } from '../../test/make-edit.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let officer: Person, editor: Person, qa: Person, admin: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  const { tenantId } = officer
  ;[editor, qa, admin] = [
    await makePerson(service, 'Editor', { tenantId }),
    await makePerson(service, 'QA', { tenantId }),
    await makePerson(service, 'ADMIN', { tenantId }),
  ]
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)

/** Each history: a random first cut, random commands with steps back, saved, rendered, sent; some are denied and sent again. */
test(
  'the figures of each rule are what another query finds in random histories of sent edits',
  { tags: 'long' },
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    for (let i = 0; i < 12; i++) {
      const { projectId, first } = await begun(random)
      let recipe = edited(random, first)
      await send(projectId, recipe)
      if (random.next() < 0.4) {
        const denyFeedback = { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }
        await as(qa)(projects.deny, { params: { projectId }, body: { denyFeedback, categories: ['cut'] } })
        await as(editor)(projects.start, { body: { projectId } })
        recipe = edited(random, recipe)
        await send(projectId, recipe)
      }
    }
    // Rendered and not sent: an edit that goes on.
    const open = await begun(random)
    await render(open.projectId, edited(random, open.first))
    // Sent before the period.
    const old = await begun(random)
    await send(old.projectId, edited(random, old.first))
    await service.database.asSystem((tx) =>
      tx.count(sql`update project_cut set sent_at = now() - interval '40 days' where project_id = ${old.projectId}`),
    )
    for (const days of [30, 60]) {
      const figures = await as(admin)(edits.rules, { query: { days } })
      expect(figures.videos, `seed ${seed}`).toBe(days === 30 ? 12 : 13)
      expect(figures.items, `seed ${seed}`).toEqual(await recounted(days))
    }
    // Everything was done to every rule at least once, so that the two counts had something to differ about.
    const { items } = await as(admin)(edits.rules, { query: { days: 60 } })
    expect(items.filter(({ kept, undone, added }) => kept + undone + added > 0).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['silence', 'filler', 'move', 'person', 'card', 'none']),
    )
  },
)

test('another company’s administrator counts nothing of it, and the service’s counts all', async () => {
  const stranger = await makePerson(service, 'ADMIN', { tenantId: (await makeOfficer(service)).tenantId })
  const service_ = await makePerson(service, 'ADMIN', { tenantId: null })
  expect(await as(stranger)(edits.rules, { query: { days: 366 } })).toMatchObject({ videos: 0 })
  const all = await as(service_)(edits.rules, { query: { days: 366 } })
  expect(all.videos).toBe((await as(admin)(edits.rules, { query: { days: 366 } })).videos)
})

const begun = async (random: Random): Promise<{ projectId: string; first: Recipe }> => {
  const source = await makeVideo(service, officer)
  const { id: projectId } = await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })
  const project = await as(editor)(projects.start, { body: { projectId } })
  const bare = await makeEdit(service, project, source)
  const first = randomCut(random, bare)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update edit set recipe = ${JSON.stringify(first)}, first_cut = ${JSON.stringify(first)} where project_id = ${projectId}`),
  )
  return { projectId, first }
}

/** Words of which none is said twice, some of them marked, with silences between. */
const randomCut = (random: Random, bare: Recipe): Recipe => {
  const source = { ...bare.sources[0]!, durationMs: 20_000, width: 1920, height: 1080 }
  const words: Word[] = []
  const silences = []
  let at = random.whole(0, 1500)
  while (at < 18_000) {
    const gap = random.next() < 0.2 ? random.whole(700, 2000) : random.whole(20, 300)
    silences.push({ source: source.id, start: at, end: at + gap })
    at += gap
    const n = words.length
    const mark = random.weighted({ none: 14, filler: 2, 'broken-off': 2, 'off-script': 2 } as Record<string, number>)
    const text = mark === 'filler' ? 'um' : random.next() < 0.1 ? `${n}%` : `word${n}${random.next() < 0.15 ? '.' : ''}`
    const times = { start: at, end: at + random.whole(150, 500) }
    words.push({
      id: `w${n}`,
      source: source.id,
      ...times,
      text,
      confidence: 0.9,
      origin: 'heard',
      ...(mark === 'none' ? {} : { mark: mark as 'filler' }),
    } as Word)
    at = times.end
  }
  const hold = (start: number, end: number) => ({ start, end, x: random.next(), y: 0.4, height: 0.3 })
  const holds = random.one([[], [hold(0, 19_000)], [hold(0, 8000), hold(11_000, 19_000)]])
  const people = new Map([[source.id, { holds, doubts: [] }]])
  const cut = firstCut({ sources: [source], words, silences, people, brand: bare.brand, style: 1 })
  return random.next() < 0.2 ? { ...cut, close: null } : cut
}

/** Some random commands, some of them taken back. */
const edited = (random: Random, from: Recipe): Recipe => {
  const past = [from]
  for (let i = random.whole(3, 14); i > 0; i--) {
    const recipe = past.at(-1)!
    if (random.next() < 0.15 && past.length > 1) past.pop()
    else {
      const next = anyCommand(random, recipe)(recipe)
      if (timelineOf(next).pieces.length > 0) past.push(next)
    }
  }
  return past.at(-1)!
}

const anyCommand = (random: Random, recipe: Recipe): Command => {
  const { frames, pieces } = timelineOf(recipe)
  const at = random.whole(0, recipe.words.length - 1)
  const ids = recipe.words.slice(at, at + random.whole(1, 3)).map(({ id }) => id)
  const piece = random.whole(0, pieces.length - 1)
  const frame = random.whole(0, frames - 1)
  const removal = recipe.removed.length > 0 ? random.one(recipe.removed) : null
  const move = recipe.moves.length > 0 ? random.one(recipe.moves) : null
  const place = recipe.focus?.length ? random.one(recipe.focus) : null
  const { start, end, source } = recipe.words[at]!
  return random.one<Command>([
    cutWords(ids),
    restoreWords(ids),
    cutStretch(frame, frame + random.whole(2, 20)),
    switchReason(random.one(['silence', 'filler', 'broken-off', 'off-script']), random.next() < 0.4),
    removal ? switchRemoval(removal.id, !removal.on) : (same) => same,
    move ? switchMove(move.id, !move.on) : (same) => same,
    move?.by === 'person' ? removeMove(move.id) : (same) => same,
    addMove('punch-in', { source, start, end }),
    putPerson(source, { x: random.next(), y: 0.4 }),
    place ? switchFocus(place.id, !place.on) : (same) => same,
    place?.by === 'person' ? removeFocus(place.id) : (same) => same,
    setFrame({ aspect: random.one(['9:16', '1:1', '16:9']) }),
    setEnding({ on: random.next() < 0.5 }),
    splitAt(frame),
    setPieceEdge(piece, random.one(['from', 'to']), pieces[piece]!.from + random.whole(0, 30)),
    pieces.length > 1 ? removePiece(piece) : (same) => same,
  ])
}

const render = async (projectId: string, recipe: Recipe): Promise<string> => {
  const at = { params: { projectId } }
  const { revision } = await as(editor)(edits.find, at)
  const saved = await as(editor)(edits.save, { ...at, body: { revision, recipe: recipe as never } })
  const { id } = await as(editor)(edits.render, { ...at, body: { revision: saved.revision } })
  const file = await makeVideo(service, editor, await as(editor)(projects.find, at))
  await service.database.asSystem((tx) =>
    tx.count(sql`update render set state = 'done', asset_id = ${file} where id = ${id}`),
  )
  return file
}

const send = async (projectId: string, recipe: Recipe): Promise<void> => {
  const finalVideoId = await render(projectId, recipe)
  await as(editor)(projects.send, { params: { projectId }, body: { finalVideoId } })
}

/** The same counted anew by PostgreSQL from the documents themselves, with its own arithmetic of stretches. */
const recounted = (days: number) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ rule: string; kept: number; undone: number; added: number }>`
      with sent as (
        select distinct on (c.project_id) e.first_cut as f, r.recipe as s
        from project_cut c join render r on r.asset_id = c.asset_id join edit e on e.project_id = c.project_id
        where c.sent_at >= now() - make_interval(days => ${days}) order by c.project_id, c.sent_at desc),
      taken as (
        select s.f, s.s, d, (
          select coalesce(sum(upper(piece) - lower(piece)), 0) from (
            select range_agg(int8range((o ->> 'start')::bigint, (o ->> 'end')::bigint))
              * int8multirange(int8range((d ->> 'start')::bigint, (d ->> 'end')::bigint)) as all_of_it
            from jsonb_array_elements(s.s -> 'removed') o
            where (o ->> 'on')::boolean and o ->> 'source' = d ->> 'source'
              and (o ->> 'by' = 'person' or o ->> 'reason' = d ->> 'reason')) u, unnest(u.all_of_it) piece) as out
        from sent s, jsonb_array_elements(s.f -> 'removed') d where d ->> 'by' = 'rule'),
      hands as (
        select s.s, h, (
          select coalesce(sum(upper(piece) - lower(piece)), 0) from (
            select range_agg(int8range((o ->> 'start')::bigint, (o ->> 'end')::bigint))
              * int8multirange(int8range((h ->> 'start')::bigint, (h ->> 'end')::bigint)) as all_of_it
            from jsonb_array_elements(s.f -> 'removed') o
            where (o ->> 'on')::boolean and o ->> 'source' = h ->> 'source') u, unnest(u.all_of_it) piece) as out,
          array(
            select w from jsonb_array_elements(s.s -> 'words') w
            where w ->> 'source' = h ->> 'source'
              and (w ->> 'start')::numeric + (w ->> 'end')::numeric >= 2 * (h ->> 'start')::numeric
              and (w ->> 'start')::numeric + (w ->> 'end')::numeric < 2 * (h ->> 'end')::numeric) as words
        from sent s, jsonb_array_elements(s.s -> 'removed') h where h ->> 'by' = 'person' and (h ->> 'on')::boolean),
      counted as (
        select d ->> 'reason' as rule,
          case when (2 * out >= (d ->> 'end')::bigint - (d ->> 'start')::bigint) = (d ->> 'on')::boolean
            then 'kept' else 'undone' end as what from taken
        union all
        select case when words = '{}' then 'silence'
            when not exists (select from unnest(words) w where w ->> 'mark' is distinct from 'filler') then 'filler'
            when not exists (select from unnest(words) w where w ->> 'mark' is distinct from 'broken-off') then 'broken-off'
            else 'none' end, 'added'
        from hands where 2 * out < (h ->> 'end')::bigint - (h ->> 'start')::bigint
        union all
        select 'move', case when s.s -> 'moves' @> jsonb_build_array(jsonb_build_object('id', m -> 'id', 'on', true))
          then 'kept' else 'undone' end
        from sent s, jsonb_array_elements(s.f -> 'moves') m where m ->> 'by' = 'rule' and (m ->> 'on')::boolean
        union all
        select 'move', 'added' from sent s, jsonb_array_elements(s.s -> 'moves') m
        where m ->> 'by' = 'person' and (m ->> 'on')::boolean
        union all
        select 'person', case when s.s -> 'focus' @> jsonb_build_array(jsonb_build_object('id', p -> 'id', 'on', true))
          and not s.s -> 'focus' @> '[{"by": "person", "on": true}]' then 'kept' else 'undone' end
        from sent s, jsonb_array_elements(s.f -> 'focus') p
        where p ->> 'by' = 'rule' and (p ->> 'on')::boolean and s.s #>> '{frame,aspect}' <> '16:9'
        union all
        select 'person', 'added' from sent s, jsonb_array_elements(s.s -> 'focus') p
        where p ->> 'by' = 'person' and (p ->> 'on')::boolean and s.s #>> '{frame,aspect}' <> '16:9'
        union all
        select 'card', case when s.f #> '{close,on}' = 'true' and s.s #> '{close,on}' = 'true' then 'kept'
          when s.f #> '{close,on}' = 'true' then 'undone' else 'added' end
        from sent s where s.f #> '{close,on}' = 'true' or s.s #> '{close,on}' = 'true')
      select names.rule, (count(*) filter (where what = 'kept'))::integer as kept,
        (count(*) filter (where what = 'undone'))::integer as undone, (count(*) filter (where what = 'added'))::integer as added
      from unnest(array['silence', 'filler', 'broken-off', 'off-script', 'move', 'person', 'card', 'none'])
        with ordinality as names (rule, place) left join counted on counted.rule = names.rule
      group by names.rule, names.place order by names.place`),
  )
