/**
 * How alike two pictures are, each red, green and blue in a row: 1 is the same. The mean of Wang's structural similarity over
 * squares of 8 by 8 points, of their light (Rec. 709's luma), and of their colour (the two differences). Not of red, green and
 * blue: there 3 of 255 in the red of a black coat are worth as much as a face that moved.
 */
export function ssim(one: Buffer, other: Buffer, size: { width: number; height: number }) {
  const [first, second] = [planesOf(one), planesOf(other)]
  const [light, blue, red] = first.map((plane, i) => planeAlike(plane, second[i]!, size))
  return { light: light!, colour: (blue! + red!) / 2 }
}

function planesOf(rgb: Buffer): Float64Array[] {
  const [light, blue, red] = [0, 1, 2].map(() => new Float64Array(rgb.length / 3))
  for (let i = 0; i < rgb.length / 3; i++) {
    const [r, g, b] = [rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!]
    const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
    light![i] = luma
    blue![i] = (b - luma) / 1.8556 + 128
    red![i] = (r - luma) / 1.5748 + 128
  }
  return [light!, blue!, red!]
}

function planeAlike(
  one: Float64Array,
  other: Float64Array,
  { width, height }: { width: number; height: number },
): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
  let [sum, count] = [0, 0]
  for (let y = 0; y + 8 <= height; y += 8)
    for (let x = 0; x + 8 <= width; x += 8) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let i = 0; i < 64; i++) {
        const at = (y + (i >> 3)) * width + x + (i & 7)
        const [p, q] = [one[at]!, other[at]!]
        a += p
        b += q
        aa += p * p
        bb += q * q
        ab += p * q
      }
      const [ma, mb] = [a / 64, b / 64]
      const [va, vb, vab] = [aa / 64 - ma * ma, bb / 64 - mb * mb, ab / 64 - ma * mb]
      sum += ((2 * ma * mb + c1) * (2 * vab + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
      count++
    }
  return sum / count
}
