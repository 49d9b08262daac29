import type { Figures } from '@clear-to-post/domain/figures'
import type { Network } from '@clear-to-post/domain/networks'
import type { Config } from '../../kernel/config.ts'
import { sql, type Caller, type Database, type Tx } from '../../kernel/database.ts'
import { statusSql } from '../../kernel/domain-sql.ts'
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
  const { database, people, loadedAt, now } = place
  const [officer, admin] = [people.get('officer')!, people.get('company')!]
  const youtube = await connect(place, officer, 'youtube', 'Olivia Hart')
  const instagram = await connect(place, officer, 'instagram', 'olivia.hart')
  const facebook = await connect(place, admin, 'facebook', 'Harbor Point Lending')
  if (!youtube || !instagram || !facebook) return false
  await database.inTenant(admin, (tx) => letOfficerPost(tx, admin, facebook, officer.id, now))
  const of = { youtube, instagram, facebook }
  return database.asSystem(async (tx) => {
    for (const post of demoPosts) await addPost(tx, officer, of[post.network], post, loadedAt)
    // What is missing for the third: its owner signs in anew.
    await tx.count(sql`update connection set state = 'needs-sign-in', modified_at = ${now} where id = ${instagram}`)
    return true
  })
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
  title: string
  words: string
  /** How long before the demo was loaded it went out. */
  hoursAgo: number
  /** What all have seen of it by now; undefined where it did not go out. */
  most?: Figures
}

const demoPosts: readonly DemoPost[] = [
  {
    network: 'youtube',
    title: 'Your yearly home loan check-up',
    words: 'Fifteen minutes a year for your home loan. Four questions to ask yourself.',
    hoursAgo: 150,
    most: { views: 1840, likes: 96, comments: 14 },
  },
  {
    network: 'facebook',
    title: 'Your yearly home loan check-up',
    words: 'Once a year, give your home loan fifteen minutes.',
    hoursAgo: 150,
    most: { views: 920, likes: 61, comments: 8, shares: 12 },
  },
  {
    network: 'youtube',
    title: 'Watch out for wire fraud',
    words: 'Never trust wiring instructions that arrive by e-mail. Call a number you already know.',
    hoursAgo: 98,
    most: { views: 3120, likes: 214, comments: 37 },
  },
  {
    network: 'facebook',
    title: 'Watch out for wire fraud',
    words: 'Before you wire anything: call a number you already know.',
    hoursAgo: 98,
    most: { views: 1410, likes: 88, comments: 19, shares: 41 },
  },
  {
    network: 'instagram',
    title: 'Watch out for wire fraud',
    words: 'Call before you wire.',
    hoursAgo: 98,
  },
]

/** Nothing where its video went another way meanwhile. */
const addPost = async (
  tx: Tx,
  officer: Caller,
  connectionId: string,
  { network, title, words, hoursAgo, most }: DemoPost,
  loadedAt: Date,
): Promise<void> => {
  const at = new Date(loadedAt.getTime() - hoursAgo * hourMs)
  const post = await tx.first(sql<{ id: string }>`
    insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state,
      failure, failure_words, live_at, created_at, modified_at)
    select j.id, j.tenant_id, j.user_id, ${connectionId}, ${network}, a.id, a.sha256, ${title}, ${words}, ${at},
      ${most ? 'live' : 'failed'}, ${most ? null : 'reauth'}, ${most ? null : signInAgain}, ${most ? at : null}::timestamptz, ${at}, ${at}
    from project j join asset a on a.id = j.approved_video_id
    where j.user_id = ${officer.id} and j.title = ${title} and j.status = ${statusSql.completed}
      and j.final_video_id = j.approved_video_id and a.sha256 is not null
    order by j.id limit 1 returning id`)
  if (!post || !most) return
  // Half of all that see it do so on the first two days.
  for (let hours = 20; hours < hoursAgo; hours += 24)
    await saveFigures(tx, post.id, shareOf(most, 1 - 2 ** (-hours / 48)), new Date(at.getTime() + hours * hourMs))
}

const shareOf = (most: Figures, share: number): Figures =>
  Object.fromEntries(Object.entries(most).map(([name, count]) => [name, Math.floor(count * share)]))

const hourMs = 3_600_000
const signInAgain =
  'Instagram asked for a new sign-in. Connect the account again under Connections, then press “Post again”.'
