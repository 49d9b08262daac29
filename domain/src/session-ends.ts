/** Why somebody's sessions end, and with them their keys for programs: `api_key.ended_by`, and the audit log tells it. */
export const sessionEnds = [
  /** They signed out everywhere. */
  'signed-out',
  /** An old copy of a session was used, perhaps by somebody else; of the keys those end that may have been made in it. */
  'stolen',
  'password',
  /** It was taken away, or is demanded and they have none. */
  'second-factor',
  /** Another role or company. */
  'rights',
  'shut-out',
  /** The account at Google or Apple that they signed in with was closed. */
  'provider',
  'removed',
  /** The service was restored from a backup. */
  'restored',
] as const
export type SessionEnd = (typeof sessionEnds)[number]
