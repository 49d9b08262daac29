/** The column of every section. */
export const column = 'mx-auto w-full max-w-6xl px-5 md:px-8'
