import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** Whom PostgreSQL runs as, and who therefore owns its files. */
export interface Account {
  name: string
  /** Owner of the files as this process sees it; undefined: this process itself, nothing to change. */
  owner: { uid: number; gid: number } | undefined
  start(file: string, args: string[], options: SpawnOptions): ChildProcess
}

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it as is; root tries, in this order, what really works
 * for the program and for `directory` (absolute, existing):
 *
 * 1. `nobody` (or whoever owns the data already): the cleanest, but it cannot enter a clone in /root;
 * 2. root seen as `nobody` through a user namespace: enters what root may enter; containers often forbid it;
 * 3. `nobody` that keeps the one capability to pass closed directories.
 *
 * Throws a sentence when none of them works.
 */
export async function chooseAccount(input: {
  program: string
  directory: string
  dataOwner: { uid: number; gid: number } | undefined
}): Promise<Account> {
  if (process.getuid?.() !== 0) return { name: 'this user', owner: undefined, start: spawn }

  const nobody = await userNamed('nobody')
  const kept = input.dataOwner && input.dataOwner.uid !== 0 ? input.dataOwner : nobody
  for (const account of [dropTo(kept), mapTo(nobody), passing(kept)]) {
    if (await works(account, input.program, input.directory)) return account
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other user may enter ${input.directory}. Either run this as an ` +
      'ordinary user, or put the clone and DATA_DIR where everyone may enter (such as /srv), or set DATABASE_URL.',
  )
}

function dropTo({ uid, gid }: { uid: number; gid: number }): Account {
  return {
    name: `user ${uid}`,
    owner: { uid, gid },
    start: (file, args, options) => spawn(file, args, { ...options, uid, gid }),
  }
}

function mapTo({ uid, gid }: { uid: number; gid: number }): Account {
  const map = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  return {
    name: `root seen as user ${uid}`,
    owner: { uid: 0, gid: 0 },
    start: (file, args, options) => spawn('unshare', [...map, file, ...args], options),
  }
}

function passing({ uid, gid }: { uid: number; gid: number }): Account {
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const keep = ['--inh-caps=-all,+dac_override', '--ambient-caps=+dac_override', '--bounding-set=-all,+dac_override']
  return {
    name: `user ${uid} that may pass closed directories`,
    owner: { uid, gid },
    start: (file, args, options) => spawn('setpriv', [...drop, ...keep, '--', file, ...args], options),
  }
}

function works(account: Account, program: string, directory: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version'
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const child = account.start('sh', ['-c', script, 'sh', directory, program], { stdio: 'ignore', env, cwd: '/' })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

async function userNamed(name: string): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = lines.find(([user]) => user === name) ?? []
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  throw new Error(`PostgreSQL does not run as root, and this machine has no user "${name}": run as an ordinary user.`)
}
