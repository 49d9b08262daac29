// For node --import under libfaketime: PostgreSQL, which gets nothing of the caller's environment, goes by the same date.
import { cleanEnvironment } from '../src/postgres/cluster.ts'

for (const [name, value] of Object.entries(process.env))
  if (name === 'LD_PRELOAD' || name.startsWith('FAKETIME')) Object.assign(cleanEnvironment, { [name]: value })
