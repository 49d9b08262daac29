import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/**
 * PgBouncer in transaction mode before the database of `url`, with `connections` to it for everybody; undefined where it is
 * neither installed nor to be had from Debian's packages.
 */
export const openPooler = async (
  url: string,
  { connections = 8 }: { connections?: number } = {},
): Promise<{ url: string; close: () => Promise<void> } | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-pooler-'))
  const program = await findPooler(folder)
  if (!program) return void (await rm(folder, { recursive: true, force: true }))
  const at = new URL(url)
  const port = await freePort()
  const [user, password] = [decodeURIComponent(at.username), decodeURIComponent(at.password)]
  await writeFile(join(folder, 'users'), `"${user}" "${password}"\n`)
  await writeFile(
    join(folder, 'conf'),
    `[databases]
* = host=${at.hostname} port=${at.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
logfile =
`,
  )
  await chmod(folder, 0o755)
  const child = spawn(program, ['-q', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), join(folder, 'conf')], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: join(folder, 'usr/lib/x86_64-linux-gnu') },
  })
  let isOver = false
  child.on('exit', () => (isOver = true)).on('error', () => (isOver = true))
  at.hostname = '127.0.0.1'
  at.port = String(port)
  const close = async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  while (!isOver) {
    if (await answers(at.href)) return { url: at.href, close }
    await sleep(50)
  }
  await close()
  return undefined
}

/** The installed one, or Debian's packages unpacked into `folder`. */
const findPooler = async (folder: string): Promise<string | undefined> => {
  for (const place of ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer']) if (existsSync(place)) return place
  try {
    const packages = ['pgbouncer', 'libc-ares2', 'libevent-2.1-7']
    await run('apt-get', ['download', '-q', ...packages], { cwd: folder, timeout: 60_000 })
    for (const name of await readdir(folder)) await run('dpkg-deb', ['-x', name, folder], { cwd: folder })
    return join(folder, 'usr/sbin/pgbouncer')
  } catch {
    return undefined
  }
}

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
