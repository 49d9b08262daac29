import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { promisify } from 'node:util'

/**
 * Process ids of the server of this name, and of the children that it has or, killed, left behind. They are known by
 * their command lines, which everyone may read: the server's has the setting, its children's begin with the name.
 */
export async function postgresProcesses(clusterName: string): Promise<{ servers: number[]; children: number[] }> {
  const all = platform() === 'linux' ? await commandLinesOfLinux() : await commandLinesByPs()
  const pids = (isOurs: (line: string) => boolean) => all.filter(({ line }) => isOurs(line)).map(({ pid }) => pid)
  return {
    servers: pids((line) => line.includes(` -c cluster_name=${clusterName} `)),
    children: pids((line) => line.startsWith(`postgres: ${clusterName}: `)),
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
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
}

async function commandLinesOfLinux() {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1)
  return Promise.all(
    pids.map(async (pid) => {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid, line: raw.replaceAll('\0', ' ').trim() }
    }),
  )
}

async function commandLinesByPs() {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 1 << 26 })
  return stdout
    .split('\n')
    .map((row) => row.trim())
    .map((row) => ({ pid: Number.parseInt(row, 10), line: row.replace(/^\d+\s+/, '') }))
}
