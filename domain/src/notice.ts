import type { Kind } from './audiences.ts'
import type { Channel } from './delivery.ts'

/** Something to say to people. */
export type Notice = {
  kind: Kind
  title: string
  body: string
  /** `url`: a path of ours or an https address. */
  cta: { label: string; url: string } | null
  metadata: Record<string, unknown>
  /** Why it is said, in the product's own words (`project:<id>:<seq>`): each person is told once of one cause. */
  cause: string
  /** The project it is about. */
  about?: string | undefined
  triggerId?: string | undefined
  /** How it may leave the panel; by every channel unless said. A person's own choices narrow it further. */
  channels?: readonly Channel[] | undefined
  /** The hearer asked for it this very moment: it waits for no digest and for no quiet hours. */
  isAwaited?: true | undefined
}
