import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Fault = 'hangs' | 'is killed' | { slowMs: number }
export type FaultLine = Awaited<ReturnType<typeof openFaultLine>>

/**
 * A line to a server of this machine that can hang (accepts and never answers), break (refuses connections) or be slow (each
 * answer comes later by so many milliseconds), and that can lead to another server from one moment on. It listens `on` this address.
 */
export const openFaultLine = async (server: { port: number; host: string }, on = '127.0.0.1') => {
  const pairs = new Set<[Socket, Socket]>()
  const lost: [Socket, Socket][] = []
  let place = server
  let state: 'well' | Fault = 'well'
  const line = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {})
    if (state === 'is killed') return void near.destroy()
    const far = connect({ ...place, noDelay: true })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          far.destroy()
          pairs.delete(pair)
        })
    near.on('data', (data: Buffer) => far.write(data))
    far.on('data', (data: Buffer) => {
      if (typeof state === 'object') setTimeout(() => near.write(data), state.slowMs).unref()
      else near.write(data)
    })
    if (state === 'hangs') near.pause()
  })
  line.listen(0, on)
  await once(line, 'listening')
  const breakAll = () => {
    for (const [near] of [...pairs, ...lost]) near.destroy()
  }
  return {
    port: (line.address() as AddressInfo).port,
    fail: (fault: Fault) => {
      state = fault
      if (fault === 'is killed') breakAll()
      if (fault === 'hangs') for (const pair of pairs) pair.forEach((socket) => socket.pause())
    },
    heal: () => {
      state = 'well'
      for (const pair of pairs) pair.forEach((socket) => socket.resume())
    },
    /** What is open now is never answered again and not ended either; what is opened from now on goes well. */
    lose: () => {
      for (const pair of pairs) pair.forEach((socket) => socket.pause())
      lost.push(...pairs)
      pairs.clear()
    },
    /** Leads to another server, and ends what led to the one before. */
    leadTo: (other: { port: number; host: string }) => {
      place = other
      breakAll()
    },
    close: () => {
      breakAll()
      line.close()
    },
  }
}
