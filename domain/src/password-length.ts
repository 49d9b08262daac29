/**
 * The fewest characters of a password, as a person counts them: the specification's minimum for officers; staff reach
 * everybody's videos and need more. Apart from the rules that know common passwords, which a browser need not carry.
 */
export const shortestPassword = { user: 6, staff: 12 } as const
