/** The page and its audio worklets share no memory: these are how the one asks the others for a cleaner and a limiter. */
export const cleanerName = 'voice-cleaner'
export const limiterName = 'limiter'
