import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { fileUrl } from '../src/assets/actions.ts'
import { sql } from '../src/kernel/database.ts'
import type { Ask } from '../src/outside/networks/adapter.ts'
import { networks } from '../src/outside/networks/networks.ts'
import { runPost } from '../src/publishing/run.ts'
import { submitProject, type makeStaff } from './factories.ts'
import { onDisk } from './on-disk.ts'
import { callAs, makeVideo, type OpenedService, type Person } from './service.ts'

/** Goes to a network as a browser does, and answers what it sends back. */
export const allow = async (address: string, account: string, decision = 'go') => {
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ account, decision }),
  })
  const back = new URL(answer.headers.get('location')!)
  return { state: back.searchParams.get('state')!, code: back.searchParams.get('code') ?? '', back }
}

export const appPassword = 'abcd-efgh-ijkl-mnop'

/** Connects an account at a stand-in by the product's own calls, as its owner. */
export const connectAccount = async (
  service: OpenedService,
  person: Person,
  network: Network = 'youtube',
  account = `sam.${randomUUID().slice(0, 6)}`,
) => {
  const as = callAs(service, person)
  if (network === 'bluesky') {
    const body = { network, name: account, password: appPassword }
    const { items } = await as(publishing.connectWithPassword, { body })
    return items.find(({ name }) => name === account)!
  }
  const { address } = await as(publishing.connect, { body: { network } })
  const { state, code } = await allow(address, account)
  const { items } = await as(publishing.finishConnecting, { body: { state, code } })
  return items.find(({ name }) => name === account)!
}

/** A video of this officer's that was approved, with bytes of its own: its project and file. */
export const approvedVideo = async (
  service: OpenedService,
  officer: Person,
  { editor, qa }: Pick<Awaited<ReturnType<typeof makeStaff>>, 'editor' | 'qa'>,
) => {
  const { id: projectId } = await submitProject(service, officer)
  await callAs(service, editor)(projects.start, { body: { projectId } })
  const cut = async () => {
    const assetId = await makeVideo(service, editor, { id: projectId, tenantId: officer.tenantId! })
    const bytes = randomBytes(80_000)
    const path = onDisk().path(assetId, 'original.mp4')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update asset set sha256 = ${sha256}, file_size = 80000, derived = '{"original":"original.mp4"}', duration_ms = 30000
        where id = ${assetId}`),
    )
    await callAs(service, editor)(projects.send, { params: { projectId }, body: { finalVideoId: assetId } })
    return { assetId, sha256 }
  }
  const { assetId, sha256 } = await cut()
  await callAs(service, qa)(projects.approve, { params: { projectId } })
  return { projectId, assetId, sha256, cut }
}

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** Files are served by the machine's clock, whatever the one of a test says: the address of a file is signed anew. */
export const signedNow: Ask = (to, request) => {
  const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '')
  const [, asset, name] = /\/media\/([^/]+)\/([^?]+)/.exec(form.get('video_url') ?? '') ?? []
  if (asset === undefined || name === undefined) return networks().ask(to, request)
  form.set('video_url', new URL(form.get('video_url')!).origin + fileUrl(asset, name, new Date()))
  return networks().ask(to, { ...request, body: form.toString() })
}

/** What a worker does with a post at this moment, until nothing is left. */
export const workOnPost = async (
  service: OpenedService,
  postId: string,
  at: Date,
  ask = networks().ask,
  { publicUrl = service.config.publicUrl } = {},
) => {
  const deps = { database: service.database, networks: { ...networks(), ask }, publicUrl }
  for (let now = at, next: Date | null | undefined = at; next && next <= now;)
    next = await runPost({ ...deps, now: () => now }, postId)
}
