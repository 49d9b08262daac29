import type { PutPart } from '../../web/app/spool/send-parts.ts'

/** Puts a part as a page does, from a test. */
export const putByFetch: PutPart = async ({ url, headers }, bytes, { signal, onSent }) => {
  const answer = await fetch(url, { method: 'PUT', headers, body: bytes, signal })
  if (!answer.ok) throw new Error(`The bucket answered ${answer.status}`)
  onSent(bytes.size)
}
