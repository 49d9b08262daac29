/** Takes stereo sound as 32-bit floats, in pieces as they come, and hands both channels on. */
export function floatsIn(take: (left: Float32Array, right: Float32Array) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const count = Math.floor(all.length / 8)
    rest = Buffer.from(all.subarray(8 * count))
    const [left, right] = [new Float32Array(count), new Float32Array(count)]
    for (let i = 0; i < count; i++) {
      left[i] = all.readFloatLE(8 * i)
      right[i] = all.readFloatLE(8 * i + 4)
    }
    take(left, right)
  }
}
