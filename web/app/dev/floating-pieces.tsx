import { useState } from 'react'
import { Download, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { Button } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { toastFailure } from '../ui/toasts.tsx'
import { Part, Row } from './part.tsx'

export const Floating = () => {
  const [asks, setAsks] = useState(false)
  return (
    <Part title="Menus and dialogs">
      <Row>
        <Menu label="Menu" trigger={<Button>Menu</Button>}>
          <MenuItem icon={<Download aria-hidden />}>Download</MenuItem>
          <MenuItem isDisabled>Not now</MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} isDanger>
            Remove
          </MenuItem>
        </Menu>
        <Dialog
          title="A dialog"
          trigger={<Button>Dialog</Button>}
          actions={(close) => (
            <Button variant="primary" onPress={close}>
              Done
            </Button>
          )}
        >
          <TextField label="Your name" />
        </Dialog>
        <Button onPress={() => setAsks(true)}>Confirm</Button>
        <Confirm
          title="Cancel this project?"
          text="Its place in the queue is given away. Your files stay."
          confirm="Cancel the project"
          keep="Keep it"
          isOpen={asks}
          onOpenChange={setAsks}
          onConfirm={() => setAsks(false)}
        />
      </Row>
    </Part>
  )
}

export const ToastPieces = () => (
  <Part title="Toasts">
    <Row>
      {(['success', 'info', 'warning', 'error'] as const).map((type) => (
        <Button
          key={type}
          onPress={() => toast[type](`A ${type} toast`, { description: 'And what it means for you.' })}
        >
          Toast: {type}
        </Button>
      ))}
      <Button onPress={() => toast('A default toast')}>Toast: default</Button>
      <Button onPress={() => toast.loading('A loading toast', { id: 'loading' })}>Toast: loading</Button>
      <Button onPress={() => toast.success('It is done', { id: 'loading' })}>End the loading</Button>
      <Button
        onPress={() =>
          toast('Moved to the front', {
            action: { label: 'Undo', onClick: () => toast.info('Undone') },
            cancel: { label: 'Fine', onClick: () => {} },
          })
        }
      >
        Toast: action and cancel
      </Button>
      <Button onPress={() => toast('It stays', { duration: Infinity, closeButton: true })}>Toast: close button</Button>
      <Button onPress={() => toast.warning('It cannot be swiped away', { dismissible: false, id: 'fixed' })}>
        Toast: not dismissible
      </Button>
      <Button onPress={() => toast.dismiss()}>Dismiss all</Button>
      <Button
        onPress={() =>
          void fetch('/api/no-such-call').then(async (answer) => {
            const body = (await answer.json()) as { message: string }
            toastFailure(new Refusal('unknown', body.message, 'not-found'))
          })
        }
      >
        Toast: failed answer
      </Button>
    </Row>
  </Part>
)
