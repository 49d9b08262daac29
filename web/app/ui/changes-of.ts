/** The names of the parts in which two things differ. */
export const partsApart = <Thing extends object>(one: Thing, other: Thing): (keyof Thing)[] =>
  (Object.keys(one) as (keyof Thing)[]).filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]))

/**
 * What was changed in a form that began with `from`, as a call takes it, and what each of these parts was, as it was last in
 * sight (`now`, where somebody else has changed one since); undefined where nothing was changed.
 */
export const changesOf = <Form extends object>(form: Form, from: Form, now: Form = from) => {
  const changed = partsApart(form, from)
  const of = (one: Form) => Object.fromEntries(changed.map((part) => [part, one[part]])) as Sent<Form>
  return changed.length === 0 ? undefined : { ...of(form), was: of(now) }
}

/** Takes a change back: its parts as they were, where they still say what was saved. */
export const takenBack = <Form extends object>({ was }: { was: Sent<Form> }, saved: Form) => {
  const parts = Object.keys(was) as (keyof Form)[]
  return { ...was, was: Object.fromEntries(parts.map((part) => [part, saved[part]])) as Sent<Form> }
}

type Sent<Form> = { [Part in keyof Form]?: Writable<Form[Part]> }
type Writable<Value> = Value extends readonly (infer One)[] ? One[] : Value
