import { lazy, Suspense } from 'react'
import { Smartphone } from 'lucide-react'
import { paths } from '../../paths.ts'
import type { ButtonLook } from '../../ui/button-look.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messages } from './new-video-messages.ts'

/** At a computer: the recorder on the phone, signed in. The take appears here under New video. */
export const RecordOnPhone = (look: ButtonLook) => (
  <span className="hidden pointer-fine:block">
    <Dialog
      title={messages.onPhone}
      trigger={
        <Button {...look} icon={<Smartphone aria-hidden />}>
          {messages.onPhone}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{messages.onPhoneText}</p>
        <Suspense>
          <HandOverCode next={paths.record} />
        </Suspense>
      </div>
    </Dialog>
  </span>
)

const HandOverCode = lazy(() =>
  import('../profile/hand-over-card.tsx').then((module) => ({ default: module.HandOverCode })),
)
