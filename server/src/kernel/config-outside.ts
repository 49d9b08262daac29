import { readFileSync } from 'node:fs'
import type { Provider } from '@clear-to-post/contract/identity'
import { networkNames, withoutApp, type Network } from '@clear-to-post/domain/networks'
import { parseBucketUrl, parseOrigin, type ReadSetting } from './config-values.ts'

/** A service account's key file as Google gives it out, and where its API answers. */
export type FcmAccount = {
  projectId: string
  clientEmail: string
  privateKey: string
  tokenUrl: string
  apiUrl: string
}

/** What is configured for one provider. `issuer` differs from the real one for a stand-in only. */
export type ProviderConfig = {
  issuer: string
  clientId: string
  /** Google's secret; Apple's is signed anew each time with the key that Apple gave out. */
  secret: { text: string } | { teamId: string; keyId: string; privateKey: string }
  isSandbox: boolean
}

export type Providers = Partial<Record<Provider, ProviderConfig>>

export type Bucket = { url: string; region: string; keyId: string; secret: string; publicUrl: string | undefined }

export type StripeKeys = { secretKey: string; webhookSecret: string; apiUrl: string | undefined }

export type NetworkKeys = Partial<Record<Network, { clientId: string; clientSecret: string }>>

export type Collector = { url: string; headers: Record<string, string>; share: number }

/** Who signs the identities of each provider. */
export const issuers = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
} as const satisfies Record<Provider, string>

/** What the product is to its own stand-in for a provider. */
export const sandboxClient = { clientId: 'sandbox', secret: 'sandbox' } as const

/** The app keys of each network, both of one's names or none; `BLUESKY=on` for one that asks for none. */
export function readNetworkKeys(env: NodeJS.ProcessEnv, problems: string[]): NetworkKeys {
  return Object.fromEntries(
    networkNames.flatMap((network) => {
      if (withoutApp.includes(network)) {
        const name = network.toUpperCase()
        const text = env[name]?.trim() || 'off'
        if (text !== 'on' && text !== 'off') problems.push(`${name} is on or off`)
        return text === 'on' ? [[network, { clientId: '', clientSecret: '' }]] : []
      }
      const names = [`${network.toUpperCase()}_APP_ID`, `${network.toUpperCase()}_APP_SECRET`] as const
      const [clientId, clientSecret] = names.map((name) => env[name]?.trim() || undefined)
      if (clientId && clientSecret) return [[network, { clientId, clientSecret }]]
      if (clientId || clientSecret) problems.push(`${names.join(' and ')} need each other`)
      return []
    }),
  )
}

/** Google and Apple as the environment names them, all of one's names or none. */
export function readProviders(
  env: NodeJS.ProcessEnv,
  options: { publicUrl: string; isProduction: boolean; hasSandbox: boolean; problems: string[] },
): Providers {
  const { publicUrl, isProduction, hasSandbox, problems } = options
  const all = (...names: string[]): string[] | undefined => {
    const values = names.map((name) => env[name]?.trim() || undefined)
    if (values.every((value) => value !== undefined)) return values
    const missing = names.filter((_, index) => values[index] === undefined)
    if (missing.length < names.length) problems.push(`${missing.join(' and ')} missing beside the others`)
    return undefined
  }
  // Another issuer than the real one is for tests, on this machine.
  const issuerOf = (provider: Provider): string => {
    const text = env[`${provider.toUpperCase()}_ISSUER`]?.trim()
    if (!text) return issuers[provider]
    const url = URL.parse(text)
    const isHere = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname) && !isProduction
    if (url?.protocol !== 'https:' && !isHere)
      problems.push(`${provider.toUpperCase()}_ISSUER should be an https address, not "${text}"`)
    return text
  }
  const sandbox = (provider: Provider): Providers =>
    hasSandbox
      ? {
          [provider]: {
            issuer: `${publicUrl}/dev/sign-in/${provider}`,
            clientId: sandboxClient.clientId,
            secret: { text: sandboxClient.secret },
            isSandbox: true,
          },
        }
      : {}
  const google = all('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
  const apple = all('APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY')
  return {
    ...(google
      ? {
          google: {
            issuer: issuerOf('google'),
            clientId: google[0]!,
            secret: { text: google[1]! },
            isSandbox: false,
          },
        }
      : sandbox('google')),
    ...(apple
      ? {
          apple: {
            issuer: issuerOf('apple'),
            clientId: apple[0]!,
            secret: { teamId: apple[1]!, keyId: apple[2]!, privateKey: readKey(apple[3]!, problems) },
            isSandbox: false,
          },
        }
      : sandbox('apple')),
  }
}

/** The key itself, its line ends perhaps written as \n, or the path of the .p8 file that Apple gave out. */
function readKey(text: string, problems: string[]): string {
  if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return text.replaceAll('\\n', '\n')
  try {
    return readFileSync(text, 'utf8')
  } catch {
    problems.push('APPLE_PRIVATE_KEY should be the key or the path of its .p8 file')
    return ''
  }
}

export function readStripe(read: ReadSetting): StripeKeys | undefined {
  const keyLike = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
  const secretKey = read('STRIPE_SECRET_KEY', '', keyLike(/^(sk|rk)_\w+$/), 'a key like sk_live_…')
  const webhookSecret = read('STRIPE_WEBHOOK_SECRET', '', keyLike(/^whsec_\w+$/), 'a secret like whsec_…')
  const apiUrl = read<string | undefined>('STRIPE_API_URL', undefined, parseOrigin, 'an origin')
  return secretKey || webhookSecret ? { secretKey, webhookSecret, apiUrl } : undefined
}

/** The three of OpenTelemetry's own settings that we know; its packages read no other that changes what is sent. */
export function readOtlp(read: ReadSetting): Collector | undefined {
  const endpoint = read(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text.replace(/(?<!\/)\/+$/, '') : undefined),
    'an address such as http://localhost:4318',
  )
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', {}, parseHeaders, 'like authorization=Bearer%20key,x-team=video')
  const share = read(
    'OTEL_TRACES_SAMPLER_ARG',
    1,
    (text) => (/^(0?\.\d+|[01](\.0+)?)$/.test(text) ? Number(text) : undefined),
    'the share of traces that are kept, from 0 to 1',
  )
  return endpoint === undefined ? undefined : { url: `${endpoint}/v1/traces`, headers, share }
}

/** `name=value` parted by commas, the values written as in addresses. */
function parseHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=(.*)$/.exec(pair))
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!.trim())]))
  } catch {
    return undefined
  }
}

/** STORAGE=bucket with where it is and our key for it, all of them (the table of settings asks many machines); else the disk. */
export function readBucket(read: ReadSetting, problems: string[], isMany: boolean): Bucket | undefined {
  const text = (value: string) => value
  const isBucket =
    read('STORAGE', 'disk', (value) => (/^(disk|bucket)$/.test(value) ? value : undefined), 'disk or bucket') ===
    'bucket'
  const url = read(
    'BUCKET_URL',
    '',
    parseBucketUrl,
    'an address such as https://s3.us-east-1.amazonaws.com/clear-to-post',
  )
  const region = read('BUCKET_REGION', 'us-east-1', text, 'a region')
  const keyId = read('BUCKET_KEY_ID', '', text, 'a key’s name')
  const secret = read('BUCKET_SECRET', '', text, 'a key’s secret')
  const publicUrl = read(
    'BUCKET_PUBLIC_URL',
    undefined,
    parseBucketUrl,
    'the bucket’s address as browsers reach it, such as https://s3.us-east-1.amazonaws.com/clear-to-post',
  )
  if (isBucket && !isMany && !(url && keyId && secret))
    problems.push('STORAGE=bucket needs BUCKET_URL, BUCKET_KEY_ID and BUCKET_SECRET beside it')
  return isBucket ? { url, region, keyId, secret, publicUrl } : undefined
}

/** The key file of a Google service account: its text or its path. `FCM_API_URL`: another address of the API, for tests. */
export function readFcm(read: ReadSetting): FcmAccount | undefined {
  const apiUrl = read('FCM_API_URL', 'https://fcm.googleapis.com', parseOrigin, 'an origin')
  const parse = (text: string): FcmAccount | undefined => {
    try {
      const file = JSON.parse(text.startsWith('{') ? text : readFileSync(text, 'utf8')) as Record<string, unknown>
      const [projectId, clientEmail, privateKey, tokenUrl = 'https://oauth2.googleapis.com/token'] = [
        file.project_id,
        file.client_email,
        file.private_key,
        file.token_uri,
      ]
      const whole = [projectId, clientEmail, privateKey, tokenUrl].every((value) => typeof value === 'string')
      return whole ? ({ projectId, clientEmail, privateKey, tokenUrl, apiUrl } as FcmAccount) : undefined
    } catch {
      return undefined
    }
  }
  return read<FcmAccount | undefined>(
    'FCM_SERVICE_ACCOUNT',
    undefined,
    parse,
    'the key file of a service account as Google gives it out, or its path',
  )
}
