/** `npm run prove -- <file>` asks for the long form of a test; server/test/random.ts has the same for the server's. */
export const isLong = process.env.PROVE === 'long'
