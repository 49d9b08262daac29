import type { Figures } from '@clear-to-post/domain/figures'
import type { Network } from '@clear-to-post/domain/networks'
import type { Config } from '../../kernel/config.ts'
import { sql, systemCaller, type Caller, type Database, type Tx } from '../../kernel/database.ts'
import { statusSql } from '../../kernel/domain-sql.ts'
import { advance } from '../../projects/advance.ts'
import { finishConnecting, startConnecting } from '../../publishing/connect.ts'
import { saveFigures } from '../../publishing/figures-store.ts'
import { letOfficerPost } from '../../publishing/officers.ts'
import type { DemoPerson } from './people.ts'

type Place = {
  database: Database
  config: Pick<Config, 'publicUrl' | 'networksStandIn' | 'networkKeys'>
  people: ReadonlyMap<DemoPerson, Caller>
  /** When the demo was loaded. */
  loadedAt: Date
  now: Date
}

/**
 * Accounts at the stand-ins of networks, an officer's own and their company's, each connected as a person does it; and how two
 * finished videos did there since. Answers whether there was anything to connect: real networks are never asked.
 */
export const addDemoPosts = async (place: Place): Promise<boolean> => {
  const { database, people, now } = place
  const [officer, admin] = [people.get('officer')!, people.get('company')!]
  const youtube = await connect(place, officer, 'youtube', 'Olivia Hart')
  const instagram = await connect(place, officer, 'instagram', 'olivia.hart')
  const facebook = await connect(place, admin, 'facebook', 'Harbor Point Lending')
  if (!youtube || !instagram || !facebook) return false
  await database.inTenant(admin, (tx) => letOfficerPost(tx, admin, facebook, officer.id, now))
  const of = { youtube, instagram, facebook }
  for (const video of demoPosted) await postVideo(place, video, of)
  // What is missing for the third: its owner signs in anew.
  await database.asSystem((tx) =>
    tx.count(sql`update connection set state = 'needs-sign-in', modified_at = ${now} where id = ${instagram}`),
  )
  return true
}

/** The way that a browser goes, without one: to the stand-in, “Allow” there, and back with what it gave. */
const connect = async (
  { database, config: { publicUrl, networksStandIn, networkKeys }, now }: Place,
  caller: Caller,
  network: Network,
  account: string,
): Promise<string | undefined> => {
  if (networksStandIn === undefined || networkKeys[network]) return undefined
  const address = await database.inTenant(caller, (tx) => startConnecting(tx, caller, network, { publicUrl, now }))
  const allowed = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ account, decision: 'go' }),
    redirect: 'manual',
  })
  const { searchParams: back } = new URL(allowed.headers.get('location')!)
  const given = { state: back.get('state')!, code: back.get('code')! }
  const connected = await finishConnecting(database, caller, given, { publicUrl, now })
  return connected.find((one) => one.network === network)?.id
}

type DemoPost = {
  network: 'youtube' | 'instagram' | 'facebook'
  words: string
  /** What all have seen of it by now; undefined where it did not go out. */
  most?: Figures
}
/** A finished video, and how long before the demo was loaded its posts were due. */
type DemoPosted = { title: string; hoursAgo: number; posts: readonly DemoPost[] }

const demoPosted: readonly DemoPosted[] = [
  {
    title: 'Your yearly home loan check-up',
    hoursAgo: 150,
    posts: [
      {
        network: 'youtube',
        words: 'Fifteen minutes a year for your home loan. Four questions to ask yourself.',
        most: { views: 1840, likes: 96, comments: 14 },
      },
      {
        network: 'facebook',
        words: 'Once a year, give your home loan fifteen minutes.',
        most: { views: 920, likes: 61, comments: 8, shares: 12 },
      },
    ],
  },
  {
    title: 'Watch out for wire fraud',
    hoursAgo: 98,
    posts: [
      {
        network: 'youtube',
        words: 'Never trust wiring instructions that arrive by e-mail. Call a number you already know.',
        most: { views: 3120, likes: 214, comments: 37 },
      },
      {
        network: 'facebook',
        words: 'Before you wire anything: call a number you already know.',
        most: { views: 1410, likes: 88, comments: 19, shares: 41 },
      },
      { network: 'instagram', words: 'Call before you wire.' },
    ],
  },
]

/** Schedules it, puts its posts there as they became, and ends it at its time. Nothing where it went another way meanwhile. */
const postVideo = async (
  { database, people, loadedAt }: Place,
  { title, hoursAgo, posts }: DemoPosted,
  connections: Record<DemoPost['network'], string>,
): Promise<void> => {
  const officer = people.get('officer')!
  const dueAt = new Date(loadedAt.getTime() - hoursAgo * hourMs)
  const publishAt = dueAt.toISOString()
  const destinations = posts.map(({ network }) => network)
  const id = await database.inTenant(officer, async (tx) => {
    const project = await tx.first(sql<{ id: string }>`
      select id from project
      where user_id = ${officer.id} and title = ${title} and status = ${statusSql.completed}
        and final_video_id = approved_video_id order by id limit 1`)
    if (project)
      await advance(
        tx,
        officer,
        project.id,
        'schedule',
        { publishAt, destinations },
        new Date(dueAt.getTime() - hourMs),
        { metadata: { publishAt, destinations }, changes: { destinations } },
      )
    return project?.id
  })
  if (id === undefined) return
  await database.asSystem(async (tx) => {
    for (const post of posts) await addPost(tx, id, connections[post.network], post, { title, dueAt, hoursAgo })
    const outcomes = posts.map(({ network, most }) => ({
      destination: network,
      outcome: most ? 'posted' : signInAgain,
    }))
    await advance(tx, systemCaller, id, 'publish', {}, dueAt, { metadata: { outcomes, isPosted: true } })
  })
}

const addPost = async (
  tx: Tx,
  projectId: string,
  connectionId: string,
  { network, words, most }: DemoPost,
  { title, dueAt, hoursAgo }: { title: string; dueAt: Date; hoursAgo: number },
): Promise<void> => {
  const post = await tx.first(sql<{ id: string }>`
    insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state,
      failure, failure_words, live_at, created_at, modified_at)
    select j.id, j.tenant_id, j.user_id, ${connectionId}, ${network}, a.id, a.sha256, ${title}, ${words}, ${dueAt},
      ${most ? 'live' : 'failed'}, ${most ? null : 'reauth'}, ${most ? null : signInAgain}, ${most ? dueAt : null}::timestamptz,
      ${dueAt}, ${dueAt}
    from project j join asset a on a.id = j.approved_video_id where j.id = ${projectId} returning id`)
  if (!post || !most) return
  // Half of all that see it do so on the first two days.
  for (let hours = 20; hours < hoursAgo; hours += 24)
    await saveFigures(tx, post.id, shareOf(most, 1 - 2 ** (-hours / 48)), new Date(dueAt.getTime() + hours * hourMs))
}

const shareOf = (most: Figures, share: number): Figures =>
  Object.fromEntries(Object.entries(most).map(([name, count]) => [name, Math.floor(count * share)]))

const hourMs = 3_600_000
const signInAgain = 'Instagram asked for a new sign-in.'
