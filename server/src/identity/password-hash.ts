import { hash, verify } from '@node-rs/argon2'
import { askingNow, everybody } from '../kernel/asker.ts'
import { FairTurns } from '../kernel/fair-turns.ts'
import { laneOf } from '../kernel/lane.ts'

/** argon2id as OWASP advises: 19 MiB, two passes, one lane; some 30 ms of one core. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(composed(password), cost))

/** Is this the password? Without a hash the work is done all the same, so that time does not tell who has an account. */
export const verifyPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const matches = await inTurn(() => verify(stored ?? dummyPasswordHash, composed(password)))
  return matches && stored !== null
}

export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of a random password that nobody kept. */
export const dummyPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$HsMN6N1abFAmi2TH7AC7wg$c9PdQ50p7DeGHOpdEw223WdWwjuArehVenHfqty7nCI'

// The same letters typed on another machine may arrive as other code points.
const composed = (password: string): string => password.normalize('NFKC')

// Hashing shares libuv's four threads with reading and writing files: it may take two. Each person, and each holder of networks of
// those who are not known yet, has a line of their own: a burst from one keeps nobody else from signing in.
const line = new FairTurns(2, 500)

const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const asking = askingNow()
  return line.take(asking ? laneOf(asking.who) : everybody, work)
}
