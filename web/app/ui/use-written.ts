import { useState } from 'react'

/**
 * What a form shows: what is kept, and over it what was written since. `thing` is what it is about: a save names what it was made
 * from, and that is the thing as the first word was written (`from`), whatever is read of it later.
 */
export const useWritten = <Form extends object, Thing = Form>(kept: Form, thing?: Thing) => {
  const [begun, setBegun] = useState<{ written: Partial<Form>; from: Thing | undefined }>()
  return {
    form: { ...kept, ...begun?.written } as Form,
    /** Only what was written. */
    written: (begun?.written ?? {}) as Partial<Form>,
    from: begun ? begun.from : thing,
    write: (part: Partial<Form>) =>
      setBegun((before) => ({ from: thing, ...before, written: { ...before?.written, ...part } })),
    /** It is saved, or taken back. */
    forget: () => setBegun(undefined),
  }
}
