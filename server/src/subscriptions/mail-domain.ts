import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'

/**
 * The domain that somebody registered to have this address, in ASCII: `lender.com` for `officer@mail.lender.com`. Null for the
 * addresses of a provider where anybody has one: such a domain says nothing of who is behind it.
 */
export const ownMailDomain = (email: string): string | null => {
  const host = domainToASCII(email.slice(email.lastIndexOf('@') + 1).trim())
  // Of a name that may be no host's, too: mail reaches `a-.lender.com` where servers are not strict.
  const domain = getDomain(host, { validateHostname: false }) ?? host
  return openProviders.has(domain) ? null : domain
}

/**
 * Providers of mailboxes, and of access to the internet, whose customers in the US write from these domains, each as it is
 * registered. `appleid.com` is whoever hides their address as they sign in with Apple (`@privaterelay.appleid.com`).
 */
const openProviders: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com yahoo.com ymail.com rocketmail.com
  myyahoo.com aol.com aim.com verizon.net icloud.com me.com mac.com proton.me protonmail.com pm.me fastmail.com zoho.com
  zohomail.com gmx.com gmx.us mail.com yandex.com hey.com tutanota.com tuta.com comcast.net xfinity.com att.net sbcglobal.net
  bellsouth.net ameritech.net pacbell.net swbell.net cox.net charter.net spectrum.net twc.com roadrunner.com rr.com
  brighthouse.com optonline.net optimum.net suddenlink.net centurylink.net centurytel.net q.com embarqmail.com frontier.com
  frontiernet.net windstream.net earthlink.net mindspring.com juno.com netzero.net mediacombb.net tds.net wowway.com
  hawaiiantel.net gci.net cableone.net sparklight.com duck.com appleid.com`.split(/\s+/),
)
