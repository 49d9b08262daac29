import type { FastifyRequest } from 'fastify'

/** The parameters of an address that are secrets: whoever reads one may use it. */
export const secretParams = ['secret', 'code'] as const

/**
 * A request's path for the log, without the secrets that stand in some. What was matched decides, however the address was
 * spelt; one that matched nothing is masked from the first word on that such an address begins with.
 */
export const loggedAddress = ({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): string => {
  const route = routeOptions.url
  if (route && holdsSecret(route)) return route.replace(secretParam, '…')
  const path = url.split('?')[0]!
  const [before] = readable(path).split(/(?<=\/(?:calendar|invitation))\//i)
  return before === readable(path) ? path : `${before}/…`
}

/** Does this route, as the router knows it, take a secret in its path? */
export const holdsSecret = (route: string): boolean => route.search(secretParam) !== -1

const secretParam = new RegExp(`:(${secretParams.join('|')})\\b`, 'g')

/** The path with its escapes taken back, as far as they are plain characters. */
const readable = (path: string): string =>
  path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
