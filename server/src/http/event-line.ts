import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes that wait for a reader who does not read; past it the line is cut, and a living page comes back. */
export const mostUnread = 256 * 1024
/** So much may still wait when a stream ends, such as the word that there are too many; with more its line is cut at once. */
const mostAtEnd = 4 * 1024
/** Whoever has not read that after so long has the line cut. */
const patienceOfEndMs = 2_000
/** What an event takes of memory beside its bytes while it waits for this reader. */
const besideEvent = 512

/** So little is not counted, for every stream has it for a moment at each event: of ten thousand it is 40 MB. */
const uncounted = 4 * 1024

/** The line of a live stream: one answer that goes on, as `text/event-stream`. */
export type EventLine = {
  begin: () => void
  /** Nothing before it began, and nothing once it ends. */
  write: (bytes: Buffer) => void
  /** What was written last is sent, and the line ends with it. */
  end: () => void
  cut: () => void
}

/**
 * What waits here unread counts with all other answers (`Held`), and is bounded for each line. `over` is called once the
 * line has closed, and no sooner: until then its memory and its place are taken.
 */
export const eventLine = (request: FastifyRequest, reply: FastifyReply, over: () => void): EventLine => {
  const out = reply.raw
  const line = request.raw.socket
  let waiting = 0
  let late: NodeJS.Timeout | undefined
  // A request that a test injects has a line that only speaks.
  const cut = () => void ('destroy' in line && line.destroy())
  const isOpen = () => out.headersSent && !out.writableEnded
  let counted = false
  const count = () => {
    const bytes = out.writableLength + waiting * besideEvent
    if (bytes <= uncounted && !counted) return
    counted = bytes > uncounted
    reply.holds(counted ? bytes : 0)
  }
  // Of an answer behind another one on the line only the line says that it closed.
  const closed = () => {
    clearTimeout(late)
    over()
  }
  return {
    begin: () => {
      reply.hijack()
      if (line.destroyed) return over()
      line.once('close', closed)
      out.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': request.id,
        // It ends with its stream: an idle line would be kept for over a minute, by whoever opens many.
        connection: 'close',
      })
    },
    write: (bytes) => {
      if (!isOpen()) return
      waiting++
      out.write(bytes, () => {
        waiting--
        count()
      })
      if (out.writableLength > mostUnread) line.destroy()
      else count()
    },
    end: () => {
      if (!isOpen()) return
      out.end()
      if (out.writableLength > mostAtEnd) line.destroy()
      else late = setTimeout(cut, patienceOfEndMs)
    },
    cut,
  }
}
