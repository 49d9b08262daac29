/** A run that renews its lease no more is dead after this; no request of it lasts longer than the time it has left. */
export const leaseMs = 180_000

/** An adapter's request that brings no file ends sooner than this (adapter.ts). */
export const requestMs = 90_000

/** Until when a run has its post that renews its lease now; `moreMs` for a request that brings a file. */
export const leaseFrom = (now: Date, moreMs = 0): Date => new Date(now.getTime() + leaseMs + moreMs)

/** Another run has taken this post over: this one does nothing more. */
export class TakenOver extends Error {}
