import type { ComponentProps } from 'react'

/** What failed as a whole, above the fields of a form. */
export const Problem = (props: Omit<ComponentProps<'p'>, 'className' | 'role'>) => (
  <p {...props} role="alert" className="rounded-control bg-danger-tint px-3 py-2.5 font-medium text-danger" />
)
