import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { promisify } from 'node:util'

/** A process with its parent, and its command line. */
type Running = { pid: number; parent: number; line: string }

/**
 * Process ids of the server of this name, and of the children that it has or, killed, left behind. They are known by
 * their command lines, which everyone may read: the server's has the setting, its children's begin with the name. A child
 * that was just born still has the server's own, and is known by its parent.
 */
export async function postgresProcesses(clusterName: string): Promise<{ servers: number[]; children: number[] }> {
  const all = platform() === 'linux' ? await processesOfLinux() : await processesByPs()
  const withSetting = all.filter(({ line }) => line.includes(` -c cluster_name=${clusterName} `))
  const known = new Set(withSetting.map(({ pid }) => pid))
  const named = all.filter(({ line }) => line.startsWith(`postgres: ${clusterName}: `))
  const born = withSetting.filter(({ parent }) => known.has(parent))
  return {
    servers: withSetting.filter(({ parent }) => !known.has(parent)).map(({ pid }) => pid),
    children: [...named, ...born].map(({ pid }) => pid),
  }
}

/** True while a process of this id exists, whoever owns it. A zombie counts as gone. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (platform() !== 'linux') return true
  const [state = 'Z'] = await statOf(pid)
  return state !== 'Z'
}

async function processesOfLinux(): Promise<Running[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1)
  return Promise.all(
    pids.map(async (pid) => {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const line = raw.replaceAll('\0', ' ').trim()
      // Of the many others nobody asks for the parent.
      const [, parent = 0] = line.includes(' -c cluster_name=') ? await statOf(pid) : []
      return { pid, parent: Number(parent), line }
    }),
  )
}

/** What Linux says of a process, from its state on (proc_pid_stat(5), field 3), the parent after it; nothing of one that is gone. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

async function processesByPs(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,command='], { maxBuffer: 1 << 26 })
  return stdout.split('\n').map((row) => {
    const [, pid, parent, line = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
    return { pid: Number(pid), parent: Number(parent), line }
  })
}
