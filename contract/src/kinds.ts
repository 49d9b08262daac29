/**
 * Every failure's kind and HTTP status (docs/specification/failures.md). Beside the usual ones: `unavailable`, for a
 * database that is away, and `timed-out`, for a request that does not come to its end.
 */
export const kinds = {
  'invalid-argument': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'timed-out': 408,
  conflict: 409,
  'too-large': 413,
  'rate-limited': 429,
  unexpected: 500,
  unavailable: 503,
} as const
export type Kind = keyof typeof kinds
