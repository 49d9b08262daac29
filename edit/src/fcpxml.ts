import { abutted, fileAt, framesOf, overlapped, type Cuts } from './cuts.ts'
import type { Fps } from './frames.ts'

/** Final Cut Pro's XML, version 1.9: one spine of clips, with crossfades over the cuts between them. */
export const writeFcpxml = (cuts: Cuts): string => {
  const { fps } = cuts
  const time = (frames: number) => `${frames * fps.den}/${fps.num}s`
  const media = new Map(cuts.media.map((one, i) => [one.id, { ...one, ref: `r${i + 2}` }]))
  const assets = [...media.values()].map(
    ({ ref, name, frames, hasSound }) =>
      `    <asset id="${ref}" name="${escaped(name)}" start="0s" duration="${time(frames)}" hasVideo="1" format="r1"${hasSound ? ' hasAudio="1" audioSources="1" audioChannels="2"' : ''}>
      <media-rep kind="original-media" src="${escaped(`./${encodeURIComponent(name)}`)}"/>
    </asset>`,
  )
  const spine = abutted(cuts.items).flatMap(({ item, from, to, at, before, after }) => {
    const place = `offset="${time(at)}" duration="${time(to - from)}"`
    if (item.kind === 'gap') return [`            <gap name="${escaped(item.name)}" ${place} start="0s"/>`]
    const file = media.get(item.media)!
    const clip = `            <asset-clip ref="${file.ref}" name="${escaped(file.name)}" ${place} start="${time(from)}"/>`
    if (!item.fade) return [clip]
    return [
      `            <transition name="Cross Dissolve" offset="${time(at - before)}" duration="${time(before + after)}"/>`,
      clip,
    ]
  })
  const note = cuts.jobCode ? `          <note>Job code: ${escaped(cuts.jobCode)}</note>\n` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.9">
  <resources>
    <format id="r1" frameDuration="${fps.den}/${fps.num}s" width="${cuts.size.width}" height="${cuts.size.height}" colorSpace="1-1-1 (Rec. 709)"/>
${assets.join('\n')}
  </resources>
  <library>
    <event name="${escaped(cuts.jobCode ?? cuts.title)}">
      <project name="${escaped(cuts.title)}">
        <sequence format="r1" duration="${time(framesOf(cuts))}" tcStart="0s" tcFormat="NDF">
${note}          <spine>
${spine.join('\n')}
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
`
}

/** The first spine of a file: its clips of files, gaps and crossfades. Null when there is none. */
export const readFcpxml = (text: string): Cuts | null => {
  const cuts: Cuts = {
    title: '',
    jobCode: null,
    fps: { num: 30, den: 1 },
    size: { width: 0, height: 0 },
    media: [],
    items: [],
  }
  const formats = new Map<string, { fps: Fps; width: number; height: number }>()
  const assets = new Map<string, { name: string; start: number; duration: number; hasSound: boolean }>()
  const frames = (seconds: number) => Math.round((seconds * cuts.fps.num) / cuts.fps.den)
  type Laid = Parameters<typeof overlapped>[0][number]
  let run: Laid[] = []
  const flush = () => {
    cuts.items.push(...overlapped(run))
    run = []
  }
  let fade: { at: number; frames: number } | null = null
  // How deep we are within the spine: what hangs on a clip is not part of its line.
  let depth = -1
  let asset = ''
  let inNote = false
  let seen = false
  for (const [, comment, closing, tag, attributes, alone, words] of text.matchAll(tags)) {
    if (comment !== undefined) continue
    if (words !== undefined) {
      const job = inNote && /Job code:\s*(\S+)/i.exec(plain(words))
      if (job) cuts.jobCode = job[1]!
      continue
    }
    const get = (name: string) => {
      const found = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes ?? '')
      return found ? plain(found[1] ?? found[2] ?? '') : null
    }
    if (closing) {
      if (tag === 'note') inNote = false
      if (depth === 0 && tag === 'spine') break
      if (depth > 0) depth--
      continue
    }
    if (tag === 'note' && !alone) inNote = true
    if (tag === 'format') {
      const [den, num] = fraction(get('frameDuration') ?? '1/30s')
      formats.set(get('id') ?? '', {
        fps: { num, den },
        width: Number(get('width') ?? 0),
        height: Number(get('height') ?? 0),
      })
    } else if (tag === 'asset') {
      asset = get('id') ?? ''
      const src = get('src')
      assets.set(asset, {
        name: (src && fileAt(src)) || get('name') || asset,
        start: secondsOf(get('start')),
        duration: secondsOf(get('duration')),
        hasSound: get('hasAudio') === '1',
      })
    } else if (tag === 'media-rep' && get('src')) {
      const file = fileAt(get('src')!)
      if (file) assets.get(asset)!.name = file
    } else if (tag === 'project') cuts.title = get('name') ?? ''
    else if (tag === 'sequence') {
      const format = formats.get(get('format') ?? '')
      if (format) Object.assign(cuts, { fps: format.fps, size: { width: format.width, height: format.height } })
    } else if (tag === 'spine' && depth < 0) {
      depth = 0
      seen = true
      continue
    } else if (depth === 0) {
      const [at, length] = [frames(secondsOf(get('offset'))), frames(secondsOf(get('duration')))]
      const file = assets.get(get('ref') ?? '')
      if (tag === 'transition') fade = { at, frames: length }
      else if (tag === 'asset-clip' && file) {
        const id = file.name
        if (!cuts.media.some((one) => one.id === id))
          cuts.media.push({ id, name: file.name, frames: frames(file.duration), hasSound: file.hasSound })
        const from = frames(secondsOf(get('start')) - file.start)
        const before: number = fade && run.length ? at - fade.at : 0
        run.push({ media: id, from, to: from + length, before, after: fade && run.length ? fade.frames - before : 0 })
        fade = null
      } else {
        flush()
        cuts.items.push({ kind: 'gap', name: get('name') ?? tag!, frames: length })
        fade = null
      }
    }
    if (depth >= 0 && !alone) depth++
  }
  flush()
  return seen ? cuts : null
}

/** Comments and declarations, tags, or the text between them. */
const tags = /(<!--[\s\S]*?-->|<[?!][^>]*>)|<(\/?)([\w-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g

const fraction = (text: string): [number, number] => {
  const found = /^(\d+)(?:\/(\d+))?s$/.exec(text)
  return found ? [Number(found[1]), Number(found[2] ?? 1)] : [1, 30]
}
const secondsOf = (text: string | null): number => {
  const found = /^(-?[\d.]+)(?:\/(\d+))?s$/.exec(text ?? '')
  return found ? Number(found[1]) / Number(found[2] ?? 1) : 0
}

// No XML holds controls, or the last two signs of the first plane.
const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)
    .replace(/[\p{Cc}\uFFFE\uFFFF]+/gu, ' ')

const plain = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name: string, decimal: string, hex: string) => {
      if (name) return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name.toLowerCase()]!
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
