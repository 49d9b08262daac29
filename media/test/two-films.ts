import { readFileSync } from 'node:fs'
import { children } from '../src/boxes.ts'
import { box, nameOf } from './second-kind.ts'

/** An MP4 with the samples of both files, whose indexes stand behind the rest, and both indexes as `arrange` puts them. */
export function twoFilms(first: string, second: string, arrange: (one: Buffer, other: Buffer) => Buffer[]): Buffer {
  const [one, other] = [partsOf(first), partsOf(second)]
  const front = Buffer.concat([one.ftyp, one.samples.bytes, other.samples.bytes])
  const at = [one.ftyp.length, one.ftyp.length + one.samples.bytes.length] as const
  return Buffer.concat([
    front,
    ...arrange(moved(one.index, at[0] - one.samples.at), moved(other.index, at[1] - other.samples.at)),
  ])
}

function partsOf(file: string) {
  const bytes = readFileSync(file)
  const all = [...children(bytes, 0)]
  const part = (name: string) => all.find((one) => nameOf(one) === name)!
  const samples = part('mdat')
  return { ftyp: part('ftyp'), index: part('moov'), samples: { bytes: samples, at: bytes.indexOf(samples) } }
}

const inside = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

/** The box with every place of a chunk so many bytes further on. */
function moved(one: Buffer, by: number): Buffer {
  const name = nameOf(one)
  if (inside.has(name)) return box(name, ...[...children(one, 8)].map((part) => moved(part, by)))
  if (name !== 'stco') return one
  const places = Buffer.from(one)
  for (let at = 16; at < places.length; at += 4) places.writeUInt32BE(places.readUInt32BE(at) + by, at)
  return places
}
