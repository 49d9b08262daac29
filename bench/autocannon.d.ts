// What we use of autocannon, which brings no types.
declare module 'autocannon' {
  type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string }
  type Run = Promise<unknown> & {
    on: (event: 'response', heard: (client: unknown, status: number, bytes: number, ms: number) => void) => void
  }
  const autocannon: (options: {
    url: string
    connections: number
    amount: number
    requests: { setupRequest: (request: Request) => Request; onResponse?: (status: number, body: string) => void }[]
  }) => Run
  export default autocannon
}
