/**
 * Text with one passage replaced. Throws where the passage does not stand exactly once: then what is patched has changed,
 * and somebody has to look at what the patch is for.
 *
 * @param what the file and what the patch is for, for whoever reads the failure
 */
export function replacedOnce(text: string, passage: string, by: string, what: string): string {
  const times = text.split(passage).length - 1
  if (times !== 1)
    throw new Error(`${what}: the passage that is replaced stands ${times} times in it, not once:\n${passage}`)
  return text.replace(passage, () => by)
}
