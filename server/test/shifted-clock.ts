// For node --import: this process's Date runs ahead by the milliseconds that stand in the file CLOCK_AHEAD_FILE, and jumps
// when that changes. Timers go on as they are: a machine's clock can be set, the time that passes cannot.
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_AHEAD_FILE!
const RealDate = Date
let ahead = 0
let readAt = Number.NEGATIVE_INFINITY

const now = (): number => {
  if (performance.now() - readAt > 20) {
    ahead = Number(readFileSync(file, 'utf8'))
    readAt = performance.now()
  }
  return RealDate.now() + ahead
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
