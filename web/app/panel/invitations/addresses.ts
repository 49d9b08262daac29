/** The e-mail addresses in a file of any shape, such as a CSV with names beside them: each once, in their order. */
export const addressesIn = (text: string): string[] => {
  const found = new Map<string, string>()
  for (const word of text.split(/[\s,;:"'<>()|]+/)) {
    const bare = word.replace(/\.+$/, '')
    const address = bare.toLowerCase()
    if (isAddress(bare) && !found.has(address)) found.set(address, bare)
  }
  return [...found.values()]
}

/** Something before its @, and a point within what follows. */
const isAddress = (word: string): boolean => {
  const at = word.indexOf('@', 1)
  return at > 0 && word.indexOf('.', at + 2) > 0
}
