import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { announcesBody } from './timeouts.ts'

/**
 * Keeps bodies that are read whole in about the memory of their bytes. A sender chooses in how many pieces a body comes,
 * and each takes some hundred bytes of memory beside its own: 100,000 bytes that came singly took 40 MB. Uploads are not
 * read whole. What nobody reads, behind a GET, is let go as it comes.
 */
export const gatherBodies = (app: FastifyInstance): void => {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!announcesBody(request) || request.routeOptions.config?.bodyTakes === 'long') return done(null, payload)
    if (request.method !== 'GET' && request.method !== 'HEAD') return done(null, inFewPieces(payload))
    request.raw.resume()
    done(null, payload)
  })
}

/** The same bytes in few pieces. Nothing is read of them before somebody reads these. */
export const inFewPieces = (body: Readable): Readable => {
  let pieces: Buffer[] = []
  let bytes = 0
  const handOn = () => {
    if (bytes === 0) return
    // Memory of its own: a part of a shared one would keep all of that.
    const gathered = Buffer.allocUnsafeSlow(bytes)
    let at = 0
    for (const piece of pieces) at += piece.copy(gathered, at)
    pieces = []
    bytes = 0
    few.push(gathered)
  }
  let isRead = false
  const few = new Readable({
    read() {
      if (isRead) return
      isRead = true
      body.on('data', (piece: Buffer) => {
        pieces.push(piece)
        bytes += piece.length
        if (pieces.length >= mostPieces || bytes >= largePiece) handOn()
      })
      body.once('end', () => {
        handOn()
        few.push(null)
      })
      body.on('error', (error) => few.destroy(error))
    },
  })
  // Who has stopped reading, at a body that is too large, no longer wants to know how it ends.
  return few.on('error', () => {})
}

const mostPieces = 256
const largePiece = 16 * 1024
