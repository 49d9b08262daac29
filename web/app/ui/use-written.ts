import { useState } from 'react'

/** What a form shows: what is kept, and over it what was written since. */
export const useWritten = <Form extends object>(kept: Form) => {
  const [written, setWritten] = useState<Partial<Form>>({})
  return {
    form: { ...kept, ...written } as Form,
    /** Only what was written. */
    written,
    write: (part: Partial<Form>) => setWritten((before) => ({ ...before, ...part })),
    /** It is saved, or taken back. */
    forget: () => setWritten({}),
  }
}
