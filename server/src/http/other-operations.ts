import { calendar } from './calendar-operations.ts'
import { live } from './live-operations.ts'
import { media } from './media-operations.ts'
import type { OtherOperation } from './operation.ts'
import { uploads } from './uploads-operations.ts'

/** What the contract's calls cannot say: bytes that come and go, the stream of events, and calendars. */
export const otherOperations: readonly OtherOperation[] = [...uploads, ...media, live, calendar]
