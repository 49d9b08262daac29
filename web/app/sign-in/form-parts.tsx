import { useEffect, useRef, type ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { TextField } from '../ui/fields.tsx'
import { Problem } from '../ui/problem.tsx'
import { messages } from './messages.ts'
import { PasswordField } from './password-field.tsx'

const route = getRouteApi('/login')

/** What failed as a whole; it comes into view once, for on a phone the button is far below. */
export const ProblemInView = (props: { children: ReactNode; id?: string; hidden?: boolean }) => (
  <Problem {...props} ref={intoView} />
)
const intoView = (one: HTMLElement | null) => one?.scrollIntoView({ block: 'center' })

/** The first field that is wrong gets the focus, whenever `wrong` is another one. For the form. */
export const useFocusOnWrong = (wrong: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [wrong])
  return form
}

/** The address that somebody signs in with. */
export const EmailField = (
  props: Pick<
    Parameters<typeof TextField>[0],
    'value' | 'onChange' | 'error' | 'autoComplete' | 'autoFocus' | 'inputRef'
  >,
) => <TextField label={messages.email} name="email" type="email" inputMode="email" autoComplete="username" {...props} />

/** A new password, twice. */
export const NewPasswordFields = ({
  label,
  hint,
  password,
  onPassword,
  confirmation,
  onConfirmation,
  wrong,
}: {
  label: string
  hint: string
  password: string
  onPassword: (text: string) => void
  confirmation: string
  onConfirmation: (text: string) => void
  wrong: { password?: string; confirmation?: string }
}) => (
  <>
    <PasswordField
      label={label}
      autoComplete="new-password"
      value={password}
      onChange={onPassword}
      hint={hint}
      error={wrong.password}
    />
    <PasswordField
      label={messages.confirmation}
      autoComplete="new-password"
      value={confirmation}
      onChange={onConfirmation}
      error={wrong.confirmation}
    />
  </>
)

/** The way to another form of sign-in, with where one wanted to go; `before` stands before the link. */
export const OtherForm = ({
  mode,
  before,
  children,
}: {
  mode?: 'sign-up'
  before?: ReactNode
  children: ReactNode
}) => {
  const { next } = route.useSearch()
  return (
    <p className="text-center text-muted">
      {before}{' '}
      <Link
        to={paths.login}
        search={{ ...(mode ? { mode } : {}), ...(next ? { next } : {}) }}
        className="touch inline-flex items-center justify-center font-medium text-primary-text underline-offset-4 hover:underline"
      >
        {children}
      </Link>
    </p>
  )
}
