import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whom the kernel kills where a group of processes holds too much: its first choice (`oom_score`), or all of the group. */
export type Victims = 'first' | 'all'

/**
 * Does to a process and everything that it started what the kernel does to a control group whose memory is bounded: a test
 * may make no control group. Looks every 10 ms whether the programs together hold more than `state.mayHold` bytes (Infinity
 * bounds nothing) and kills -9. The memory of the first process itself is not counted. `root` answers its id, or undefined
 * while there is none. `state.killed` names the programs that were killed.
 */
export const boundMemory = (root: () => number | undefined, victims: Victims) => {
  const state = { mayHold: Infinity, killed: [] as string[] }
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await sleep(10)) {
      const pid = root()
      if (pid === undefined) continue
      const started = descendantsOf(pid)
      if (started.reduce((sum, one) => sum + ownBytes(one), 0) <= state.mayHold) continue
      const group = [pid, ...started].toSorted((a, b) => rankOf(b) - rankOf(a))
      for (const one of victims === 'all' ? group : group.slice(0, 1)) kill(one, state.killed)
      // What is dead gives its memory back.
      await sleep(50)
    }
  })()
  return {
    state,
    end: async () => {
      isOver = true
      await watching
    },
  }
}

const descendantsOf = (pid: number): number[] =>
  list(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
    .flatMap((child) => [child, ...descendantsOf(child)])

/** Resident bytes without pages of files and shared ones. */
const ownBytes = (pid: number): number => {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
  return isForked(pid) ? 0 : (resident - shared) * 4096
}

/** Between fork and exec a child shows the whole of its parent. */
const isForked = (pid: number): boolean => {
  const parent = /^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]
  return read(`/proc/${pid}/cmdline`) === read(`/proc/${parent}/cmdline`)
}

const rankOf = (pid: number): number => Number(read(`/proc/${pid}/oom_score`)) || 0

const kill = (pid: number, killed: string[]) => {
  const name = read(`/proc/${pid}/comm`).trim()
  try {
    process.kill(pid, 'SIGKILL')
    killed.push(name)
  } catch {
    // It has just ended by itself.
  }
}

// A process may be gone at any moment.
const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const list = (path: string): string[] => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
