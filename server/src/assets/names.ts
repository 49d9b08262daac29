/** A name that somebody sent, fit to be shown and saved: no path, nothing invisible, no trick of direction. */
export const safeFileName = (sent: string): string => {
  const base = sent.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = base
    .replace(unseen, '')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
    .replace(/^\.+|(?<!\.)\.+$/g, '')
  const end = extensionOf(plain) ? plain.slice(plain.lastIndexOf('.')) : ''
  const stem = plain.slice(0, plain.length - end.length)
  return `${[...stem].slice(0, 120).join('') || 'file'}${end}`
}

/** `MOV` → `mov`; empty where the name has none. */
export const extensionOf = (fileName: string): string => /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** The header that makes a browser save a file under its name, whatever letters it has. */
export const saveAs = (fileName: string): string => {
  const plain = fileName
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\%]/g, '_')
  const exact = encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain || 'file'}"; filename*=UTF-8''${exact}`
}

/** The same names, made different from each other: `clip.mov`, `clip (2).mov`. */
export const distinctNames = (fileNames: readonly string[]): string[] => {
  const taken = new Set<string>()
  /** By name: the number with which the next one of that name is tried. */
  const next = new Map<string, number>()
  return fileNames.map((name) => {
    const end = extensionOf(name) ? name.slice(name.lastIndexOf('.')) : ''
    const stem = name.slice(0, name.length - end.length)
    let free = name
    let n = next.get(name.toLowerCase()) ?? 2
    while (taken.has(free.toLowerCase())) free = `${stem} (${n++})${end}`
    next.set(name.toLowerCase(), n)
    taken.add(free.toLowerCase())
    return free
  })
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
