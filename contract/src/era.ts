/** Whether a day or an instant lies in years of which everything here writes four digits, in every zone: 1970 to 9998. */
export const isOurEra = (text: string): boolean => {
  const at = Date.parse(text)
  return at >= 0 && at < Date.UTC(9999, 0, 1)
}
