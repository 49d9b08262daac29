import { openDatabase } from './database.ts'
import { openFiles } from './files.ts'
import { besideMemory, inMemory } from './memory.ts'
import { Spool } from './spool.ts'

let opening: Promise<Spool> | undefined

/** The spool of this page: files where the browser has them, else its database, else memory. */
export const spool = (): Promise<Spool> => (opening ??= open())

const open = async (): Promise<Spool> => {
  const memory = inMemory()
  const database = await openDatabase().catch((error: unknown) => {
    console.warn('This browser keeps no takes', error)
    return null
  })
  if (!database) return new Spool(memory.notes, [memory.parts])
  const files = openFiles(new Worker(new URL('./files-worker.ts', import.meta.url), { type: 'module' }))
  const spool = new Spool(besideMemory(memory.notes, database.notes), [files, database.parts, memory.parts])
  await spool.choosePlace()
  return spool
}
