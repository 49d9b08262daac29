/** What a file of addresses says, and what of it is no address. */
export type AddressFile = {
  /** Each once, in their order. */
  addresses: string[]
  /** Lines without an address, besides a head of columns: the cell where it should be, or the line, clipped. */
  left: string[]
  /** Addresses that stand there more than once. */
  doubled: string[]
  /** A head names a column of names. */
  hasNames: boolean
  /** What stands in a column of roles beside the addresses, as it is written, each once. */
  roles: string[]
}

/** Reads the e-mail addresses in a file of any shape, such as a CSV with names beside them. */
export const readAddresses = (text: string): AddressFile => {
  const found = new Map<string, string>()
  const doubled = new Set<string>()
  const left: string[] = []
  const roles = new Map<string, string>()
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
  const head = headOf(lines[0] ?? '')
  for (const line of head === undefined ? lines : lines.slice(1)) {
    const here = addressesOf(line)
    const cells = head === undefined ? [] : cellsOf(line, head.between)
    if (here.length === 0) left.push(clipped(cells[head?.email ?? -1]?.trim() || line.trim()))
    for (const bare of here) {
      const address = bare.toLowerCase()
      if (found.has(address)) doubled.add(found.get(address)!)
      else found.set(address, bare)
    }
    const role = here.length === 0 ? '' : clipped(cells[head?.role ?? -1]?.trim() ?? '')
    if (role !== '' && !roles.has(role.toLowerCase())) roles.set(role.toLowerCase(), role)
  }
  return {
    addresses: [...found.values()],
    left,
    doubled: [...doubled],
    hasNames: head !== undefined && head.name !== -1,
    roles: [...roles.values()],
  }
}

const addressesOf = (line: string): string[] =>
  line
    .split(/[\s,;:"'<>()|]+/)
    .map((word) => word.replace(/\.+$/, ''))
    .filter(isAddress)

/** Something before its @, and a point within what follows. */
const isAddress = (word: string): boolean => {
  const at = word.indexOf('@', 1)
  return at > 0 && word.indexOf('.', at + 2) > 0
}

type Head = { between: string; email: number; name: number; role: number }

/** The first line of a table, which names its columns; undefined where it is none. */
const headOf = (line: string): Head | undefined => {
  if (line.length > longestHead || addressesOf(line).length > 0) return undefined
  const between = [',', ';', '\t', '|'].find((one) => line.includes(one)) ?? ','
  const names = cellsOf(line, between).map((cell) => cell.trim().toLowerCase())
  const at = (word: RegExp) => names.findIndex((name) => word.test(name))
  const head = { between, email: at(/^(e-?mail|mail)/), name: at(/\bname\b/), role: at(/\brole\b/) }
  return head.email === -1 && head.name === -1 && head.role === -1 ? undefined : head
}
const longestHead = 1000

/** The cells of a line; what stands in quotes is one. */
const cellsOf = (line: string, between: string): string[] => {
  const cells = ['']
  let isQuoted = false
  for (const letter of line.slice(0, longestLine))
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === between && !isQuoted) cells.push('')
    else cells[cells.length - 1] += letter
  return cells
}
const longestLine = 2000

const clipped = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
