import { forTerminal } from '@clear-to-post/contract/visible'

// Whatever a command says may hold what others wrote: a file's name, a mail server's answer, a setting's value.

/** Writes a line, or several, to whoever runs a command. What would drive their terminal is written out. */
export const print = (text: string): void => console.log(forTerminal(text))

/** The same of what failed. */
export const printError = (text: string): void => console.error(forTerminal(text))

/** What failed, in its own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
