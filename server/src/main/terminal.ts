import { pino } from 'pino'
import { forTerminal, inLineForTerminal } from '@clear-to-post/contract/visible'

// Whatever a command says may hold what others wrote: a file's name, a mail server's answer, a setting's value.

/** Writes a line, or several, to whoever runs a command. What would drive their terminal is written out. */
export const print = (text: string): void => console.log(forTerminal(text))

/** Writes a line that tells of a step, by whoever does it. */
export const printStep = (line: string): void => print(`  ${inLineForTerminal(line)}`)

/** The same of what failed. */
export const printError = (text: string): void => console.error(forTerminal(text))

/**
 * Where the log goes: a terminal, too, of who ran `npm start`. Each line is JSON, in which a sign that is written out is still the
 * same one: strangers say what they like of our content policy, and mail servers what they refuse by.
 */
export const logTo = (to: { write: (line: string) => void } = pino.destination(1)) => ({
  write: (line: string): void => void to.write(forTerminal(line)),
})

/** What failed, in its own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
