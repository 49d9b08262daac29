/**
 * The mailbox that an address leads to, as one spelling: lower case, without a `+tag`, and for Gmail without dots and under
 * one of its two names. Two addresses of one mailbox answer the same text. For comparing only: mail goes to the address.
 */
export const canonicalMailbox = (address: string): string => {
  const lower = address.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  const [local, host] = [lower.slice(0, at), lower.slice(at + 1)]
  // What begins with the sign has nothing in front of it: then the whole is the name.
  const name = local.replace(/(?<=.)\+.*/, '')
  return gmail.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

const gmail: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])
