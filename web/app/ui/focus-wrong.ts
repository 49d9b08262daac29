/** Once what is wrong is said at its field, the first of those has the focus. */
export const focusWrong = (form: HTMLFormElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus())
}
