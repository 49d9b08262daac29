import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import { everyClass, type WorkClass } from './lanes.ts'
import { hostRoles, type HostRole } from './settings.ts'

/** Reads one setting: `fallback` where it is absent; what `shouldBe` says becomes a problem where it is not understood. */
export type ReadSetting = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, shouldBe: string) => T

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

export function parseTags(text: string) {
  const tags = text.split(/\s+/)
  return tags.every((tag) => /^https:$|^http:$/.test(URL.parse(tag)?.protocol ?? '') && !/[;,'"]/.test(tag))
    ? tags
    : undefined
}

export function parseLogLevel(text: string) {
  return logLevels.includes(text) ? text : undefined
}

export const parseBucketUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  return isPlain ? text.replace(/\/$/, '') : undefined
}

export const parseDeployment = (text: string): 'one' | 'many' | undefined =>
  text === 'one' || text === 'many' ? text : undefined

export const parseRole = (text: string): HostRole | undefined => hostRoles.find((role) => role === text)

export const parseWork = (text: string): WorkClass[] | undefined => {
  const asked = text.split(/[\s,]+/)
  const known = everyClass.filter((one) => asked.includes(one))
  return known.length > 0 && known.length === new Set(asked).size ? known : undefined
}

export const parseDrain = (text: string): number | undefined =>
  /^\d{1,3}$/.test(text) && Number(text) <= 600 ? Number(text) : undefined

export const parseCount = (text: string): number | undefined =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= 1_000_000 ? Number(text) : undefined

export function parsePort(text: string) {
  const port = Number(text)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : undefined
}

export function parseOrigin(text: string) {
  const url = URL.parse(text)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isOrigin ? url.origin : undefined
}

export function parsePostgresUrl(text: string) {
  const url = URL.parse(text)
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname && url.pathname.length > 1 ? text : undefined
}

export function parseSmtpUrl(text: string) {
  const url = URL.parse(text)
  return url && /^smtps?:$/.test(url.protocol) && url.hostname ? text : undefined
}

export function parseSender(text: string) {
  return /^([^<>\r\n]* <)?[^\s<>@]+@[^\s<>@]+>?$/.test(text) ? text : undefined
}

export function parseSecondFactor(text: string): SecondFactorPolicy | undefined {
  return text === 'nobody' || text === 'staff' || text === 'everybody' ? text : undefined
}

export function parseSeed(text: string): 'demo' | 'none' | undefined {
  return text === 'demo' || text === 'none' ? text : undefined
}
