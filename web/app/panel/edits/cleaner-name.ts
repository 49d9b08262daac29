/** The page and its audio worklet share no memory: this is how the one asks the other for a cleaner. */
export const cleanerName = 'voice-cleaner'
