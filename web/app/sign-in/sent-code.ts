import { inTab } from '../storage.ts'

/** Whether this tab asked for a code for this address that is still good: none is sent twice without being asked for. */
export const hasCode = (email: string): boolean => {
  const [address, at] = (inTab.read(key) ?? '').split(' ')
  return address === email.toLowerCase() && Date.now() - Number(at) < codeIsGoodFor
}

export const noteCode = (email: string): void => inTab.keep(key, `${email.trim().toLowerCase()} ${Date.now()}`)

/** Ten minutes, in milliseconds. */
export const codeIsGoodFor = 600_000

const key = 'code-sent'
