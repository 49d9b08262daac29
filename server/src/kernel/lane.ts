import type { Caller } from './database.ts'

/**
 * Under which name a caller is counted where one person has bounds: the programs that call by a person's API keys together
 * have bounds of their own, so that they never use up those of the person, who works in the panel meanwhile.
 */
export const laneOf = ({ id, key }: Pick<Caller, 'id' | 'key'>): string => (key ? `${id} by key` : id)
