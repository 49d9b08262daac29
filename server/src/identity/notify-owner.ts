import { randomUUID } from 'node:crypto'
import type { Tx } from '../kernel/database.ts'
import { sendMail } from '../mail/actions.ts'
import { factorsOf } from './factor-store.ts'

/** Whoever changes how somebody signs in, or uses up a part of it, cannot hide it from them. `more` stands before what to do. */
export const notifyOwner = async (tx: Tx, personId: string, title: string, more?: string): Promise<void> => {
  const owner = await factorsOf(tx, personId)
  if (!owner) return
  await sendMail(tx, {
    key: `security:${randomUUID()}`,
    to: owner.email,
    template: 'message',
    data: {
      title,
      body: `${more === undefined ? '' : `${more}\n\n`}Was it not you? Choose a new password at once, and look at your profile under Security.`,
      link: { label: 'Look at your profile', url: '/panel/profile' },
    },
  })
}
