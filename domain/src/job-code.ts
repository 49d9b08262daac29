/** What the name of a file carries, so that it finds its project again: `CTP-4F3A9B2177C0`, of the project's random id. */
export const jobCodeOf = (projectId: string): string =>
  `CTP-${projectId.replaceAll('-', '').slice(0, 12).toUpperCase()}`

/**
 * The code in a file's name, however an editing program dressed it up (`ctp_4f3a9b2177c0 final (2).mov`), as the first
 * twelve letters of the project's id are written: `4f3a9b21-77c0`. Null without one.
 */
export const idBeginningIn = (fileName: string): string | null => {
  const [, found] = /(?:^|[^a-z0-9])ctp[-_ ]?([0-9a-f]{12})(?![0-9a-z])/i.exec(fileName) ?? []
  return found ? `${found.slice(0, 8)}-${found.slice(8)}`.toLowerCase() : null
}
