import { hash, verify } from '@node-rs/argon2'
import { refusal } from '@clear-to-post/contract/errors'

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

// Hashing shares libuv's four threads with reading and writing files: it may take two, and its queue is bounded.
const atOnce = 2
const mostWaiting = 500
let running = 0
const waiting: (() => void)[] = []

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) throw refusal('service.unavailable')
    await new Promise<void>((go) => waiting.push(go))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
