import { readdirSync, readFileSync } from 'node:fs'

/** What some work cost: seconds on the clock, core-seconds of this process and its children, and the most memory in MB. */
export type Cost = { wall: number; cpu: number; children: number; self: number }

/**
 * Does the work and watches it. Memory is what each process has for itself and its share of what it shares (PSS), summed
 * over the children at one moment, twice a second (asking for it takes time from what is measured); of a child's last tenth
 * of a second the work is lost. Linux only.
 */
export async function measured(work: () => Promise<unknown>): Promise<Cost> {
  let children = 0
  let self = 0
  // A child's own clock, as last seen: the sandbox does not pass on what its child used.
  const used = new Map<number, number>()
  let looks = 0
  const look = () => {
    const alive = descendants(process.pid)
    for (const pid of alive) used.set(pid, Math.max(used.get(pid) ?? 0, cpuSeconds(pid)))
    if (looks++ % 5 > 0) return
    children = Math.max(
      children,
      alive.reduce((sum, pid) => sum + memory(pid), 0),
    )
    self = Math.max(self, memory(process.pid))
  }
  const clock = setInterval(look, 100)
  const [before, began] = [cpuSeconds(process.pid), performance.now()]
  try {
    await work()
  } finally {
    clearInterval(clock)
  }
  const round = (value: number) => Math.round(value * 100) / 100
  const cpu = cpuSeconds(process.pid) - before + used.values().reduce((sum, seconds) => sum + seconds, 0)
  return { wall: round((performance.now() - began) / 1000), cpu: round(cpu), children, self }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = NaN, high = NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (low + high) / 2
}

/** Of one process and all its threads, without its children. */
function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = statOf(pid).split(' ').slice(11, 13).map(Number)
  // In hundredths.
  return (user + system) / 100
}

/** The fields after the program's name, which may hold spaces: state first. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')
  } catch {
    return ''
  }
}

function descendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (pid) parents.set(pid, Number(statOf(pid).split(' ')[1]))
  }
  const within = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && parent > 0 && (parent === root || within(parent))
  }
  return [...parents.keys()].filter(within)
}

function memory(pid: number): number {
  try {
    const [, kb = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? []
    return Math.round(Number(kb) / 1024)
  } catch {
    return 0
  }
}
