import { useState, type ReactNode } from 'react'

/** A button and the dialog that it opens. The dialog begins anew each time. */
export const Opens = ({
  button,
  children,
}: {
  button: (open: () => void) => ReactNode
  children: (close: () => void) => ReactNode
}) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {button(() => setOpen(true))}
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
