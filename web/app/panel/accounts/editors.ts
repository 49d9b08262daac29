import type { User } from '@clear-to-post/contract/accounts'
import { hasDuty } from '@clear-to-post/domain/roles'

type Editor = Pick<User, 'id' | 'name' | 'role' | 'tenantId' | 'isDisabled'>

/** Those of them who may get an officer's videos: not disabled, and of the officer's company or of the service. */
export const editorsFor = <E extends Editor>(editors: readonly E[], tenantId: string | undefined): E[] =>
  editors.filter((one) => !one.isDisabled && (one.tenantId === undefined || one.tenantId === tenantId))

/** Those whose work it is, for lists where an admin who might lend a hand is in the way. */
export const onlyEditors = <E extends Editor>(editors: readonly E[]): E[] =>
  editors.filter(({ role }) => hasDuty(role, 'meet-goals'))
