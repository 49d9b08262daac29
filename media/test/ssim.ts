/**
 * How alike two pictures are, red, green and blue in a row: 1 is the same. The mean of Wang's structural similarity over
 * squares of 8 by 8 points in each of the colours.
 */
export function ssim(one: Buffer, other: Buffer, { width, height }: { width: number; height: number }): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
  let [sum, count] = [0, 0]
  for (let channel = 0; channel < 3; channel++)
    for (let y = 0; y + 8 <= height; y += 8)
      for (let x = 0; x + 8 <= width; x += 8) {
        let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
        for (let i = 0; i < 64; i++) {
          const at = 3 * ((y + (i >> 3)) * width + x + (i & 7)) + channel
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
