import { send } from '../api.ts'
import type { CallInput } from '@clear-to-post/contract/call'
import { identity } from '@clear-to-post/contract/identity'

export type Credential = CallInput<typeof identity.passkey>['body']['credential']

/** Passkeys belong to a name: neither plain http (but for this machine) nor an IP address has them. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname)

/** Asks the device for a passkey: one of the person in the middle of a sign-in, or any. Throws when none was given. */
export const askForPasskey = async (challenge?: string): Promise<Credential> => {
  const [{ options }, { startAuthentication }] = await Promise.all([
    send(identity.passkeyStart, { body: challenge === undefined ? {} : { challenge } }),
    import('@simplewebauthn/browser'),
  ])
  return (await startAuthentication({ optionsJSON: options as never })) as unknown as Credential
}

/** The service's questions end after ten minutes: a form that stands longer asks anew. */
const renewAfter = 9 * 60_000

/**
 * Offers this device's passkeys where the browser completes the field marked `webauthn`, until one was chosen or `signal`
 * ends it; then, and where browsers do not offer them, null. Throws what keeps it from offering them.
 */
export const offerPasskeys = async (signal: AbortSignal): Promise<Credential | null> => {
  if (!hasPasskeys()) return null
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } =
    await import('@simplewebauthn/browser')
  if (!(await browserSupportsWebAuthnAutofill())) return null
  while (!signal.aborted) {
    const { options } = await send(identity.passkeyStart, { body: {} })
    if (signal.aborted) break
    let isOld = false
    const end = () => WebAuthnAbortService.cancelCeremony()
    const timer = setTimeout(() => ((isOld = true), end()), renewAfter)
    signal.addEventListener('abort', end, { once: true })
    try {
      return (await startAuthentication({
        optionsJSON: options as never,
        useBrowserAutofill: true,
      })) as unknown as Credential
    } catch (error) {
      if (!signal.aborted && !isOld) throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
  return null
}

/** Has the device make a passkey from what the service asked for. Throws when it did not. */
export const makePasskey = async (options: Record<string, unknown>): Promise<Credential> => {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return (await startRegistration({ optionsJSON: options as never })) as unknown as Credential
}

/** Did the person, or the device, say no? That is no failure of ours. */
export const wasStopped = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

export const isAlreadyRegistered = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidStateError'
