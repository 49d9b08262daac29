/** The e-mail addresses in a file of any shape, such as a CSV with names beside them: each once, in their order. */
export const addressesIn = (text: string): string[] => {
  const seen = new Set<string>()
  for (const [address] of text.matchAll(/[^\s,;:"'<>()|]+@[^\s,;:"'<>()|]+\.[^\s,;:"'<>()|]+/g)) {
    const bare = address.replace(/\.+$/, '')
    if (![...seen].some((one) => one.toLowerCase() === bare.toLowerCase())) seen.add(bare)
  }
  return [...seen]
}
