import { audit } from '@clear-to-post/contract/audit'
import { onRead, type Mounted } from '../kernel/call.ts'
import { listEntries, verifyChains } from './actions.ts'

export const auditCalls: Mounted[] = [
  onRead(audit.list, ({ query }, { tx, caller }) => listEntries(tx, caller, query)),
  onRead(audit.verify, ({ query }, { tx, caller }) => verifyChains(tx, caller, query.after)),
]
