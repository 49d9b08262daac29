import { appendFile, chmod, chown, cp, lchown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openClusterCopy } from '../src/backup/cluster-copy.ts'
import { chooseAccount } from '../src/postgres/account.ts'
import { appUrl } from '../src/postgres/app-role.ts'
import { postgresBinaries } from '../src/postgres/binaries.ts'
import {
  answers,
  cleanEnvironment,
  ensureSecret,
  makeCluster,
  makeDatabase,
  urls,
  type Place,
} from '../src/postgres/cluster.ts'
import { launchOnFreePort } from '../src/postgres/server.ts'
import { openFaultLine } from './fault-line.ts'
import { freePort } from './free-port.ts'

/** Two PostgreSQL servers as a provider runs them: every commit waits until the second one has it. Durable, nobody looks after them. */
export type Pair = {
  ownerUrl: string
  superuserUrl: string
  appUrl: string
  /** Where clients go now. */
  primary: { host: string; port: number }
  /** Kills the first one (-9), with all its transactions. */
  killPrimary: () => void
  /** The second one takes over; answers where it is. */
  promote: () => Promise<{ host: string; port: number }>
  close: () => Promise<void>
}

/** `lineMs`: so long what the first one writes takes to the second one. */
export const openPair = async (folder: string, { lineMs = 0 } = {}): Promise<Pair> => {
  const binaries = await postgresBinaries()
  await chmod(folder, 0o711)
  const baseOf = async (name: string) => {
    const base = join(folder, name)
    await mkdir(base, { mode: 0o711 })
    return base
  }
  const base = await baseOf('primary')
  const account = await chooseAccount({ program: binaries.postgres, directory: base, dataOwner: undefined })
  const secret = await ensureSecret(base)
  const place: Place = { base, data: join(base, 'data'), binaries, account, secret, throwaway: false, log: () => {} }
  await makeCluster(place)
  const first = await launchOnFreePort(place)
  await makeDatabase(place, first.port)
  const { url, superuserUrl } = urls(secret, first.port)
  const ask = async (text: string, at = superuserUrl) => {
    const client = new pg.Client({ connectionString: at })
    await client.connect()
    return client.query(text).finally(() => client.end())
  }

  // A copy of the running one that follows it from there on.
  const other = await baseOf('standby')
  const data = join(other, 'data')
  const copy = await openClusterCopy({ data: place.data, superuserUrl, label: 'standby' })
  await copy.copyFiles(data)
  await copy.stop()
  await copy.copyLog(data)
  await copy.close()
  await cp(join(base, 'password'), join(other, 'password'))
  const to = new URL(superuserUrl)
  const line = lineMs > 0 ? await openFaultLine({ host: '127.0.0.1', port: first.port }) : undefined
  line?.fail({ slowMs: lineMs })
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${line?.port ?? first.port} user=${to.username} password=${decodeURIComponent(to.password)} sslmode=disable'\n`,
  )
  await writeFile(join(data, 'standby.signal'), '')
  if (account.owner) {
    const { uid, gid } = account.owner
    for (const name of await readdir(data, { recursive: true })) await lchown(join(data, name), uid, gid)
    await chown(data, uid, gid)
  }
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', `port=${port}`]
  const second = account.start(binaries.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    stdio: 'ignore',
    env: cleanEnvironment,
    cwd: '/',
  })
  let isOver = false
  second.on('exit', () => (isOver = true))
  while (!(await answers(secret, port))) {
    if (isOver) throw new Error('the standby did not start')
    await sleep(50)
  }
  await ask(`alter system set synchronous_standby_names = '*'`)
  await ask('select pg_reload_conf()')
  const isInStep = async () =>
    (await ask(`select from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming'`))
      .rowCount === 1
  while (!(await isInStep())) await sleep(50)

  const kill = (pid: number, signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal)
    } catch {
      // It is gone.
    }
  }
  return {
    ownerUrl: url,
    superuserUrl,
    appUrl: appUrl(url),
    primary: { host: '127.0.0.1', port: first.port },
    killPrimary: () => kill(first.pid, 'SIGKILL'),
    promote: async () => {
      await ask('select pg_promote(true)', urls(secret, port).superuserUrl)
      return { host: '127.0.0.1', port }
    },
    close: async () => {
      kill(first.pid, 'SIGQUIT')
      kill(second.pid!, 'SIGQUIT')
      while (!isOver) await sleep(20)
      line?.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
