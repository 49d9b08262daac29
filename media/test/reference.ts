/** The same QuickTime file (its index last), but with every track's media said to be at that address. */
export function pointingTo(file: Buffer, address: string): Buffer {
  const index = file.lastIndexOf('moov') - 4
  return Buffer.concat([file.subarray(0, index), rebuilt(file.subarray(index), address)])
}

const holders = ['moov', 'trak', 'mdia', 'minf', 'dinf']

function rebuilt(box: Buffer, address: string): Buffer {
  const type = box.toString('latin1', 4, 8)
  if (type === 'dref') {
    // Version and flags, one entry; the entry's flags are 0: "not in this file".
    const entry = boxed('url ', Buffer.concat([Buffer.alloc(4), Buffer.from(`${address}\0`)]))
    return boxed('dref', Buffer.concat([Buffer.alloc(4), Buffer.from([0, 0, 0, 1]), entry]))
  }
  if (!holders.includes(type)) return box
  const parts: Buffer[] = []
  for (let at = 8; at < box.length; at += box.readUInt32BE(at))
    parts.push(rebuilt(box.subarray(at, at + box.readUInt32BE(at)), address))
  return boxed(type, Buffer.concat(parts))
}

function boxed(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
