/** Takes what a child puts out as it comes, and hands on whole lines. */
export function linewise(take: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()?.slice(-200) ?? ''
    lines.forEach(take)
  }
}
